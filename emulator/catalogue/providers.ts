import { get, list, type Route } from "../http/routing.ts";

// What cloud providers offer: a few of each, because clients look for names.

const regions: Record<string, [name: string, country: string, code: string, city: string][]> = {
  aws: [
    ["eu-west-3", "France", "FR", "Paris"],
    ["eu-central-1", "Germany", "DE", "Frankfurt"],
    ["us-east-1", "United States", "US", "Ashburn"],
    ["us-east-2", "United States", "US", "Columbus"],
    ["ap-south-1", "India", "IN", "Mumbai"],
  ],
  scaleway: [
    ["fr-par", "France", "FR", "Paris"],
    ["nl-ams", "Netherlands", "NL", "Amsterdam"],
    ["pl-waw", "Poland", "PL", "Warsaw"],
  ],
  gcp: [
    ["europe-west9", "France", "FR", "Paris"],
    ["us-central1", "United States", "US", "Council Bluffs"],
  ],
  azure: [
    ["francecentral", "France", "FR", "Paris"],
    ["eastus", "United States", "US", "Richmond"],
  ],
};

const features: Record<string, string[]> = {
  aws: ["VPC_SUBNET", "STATIC_IP", "KARPENTER", "EXISTING_VPC"],
  scaleway: ["STATIC_IP", "NAT_GATEWAY"],
  gcp: ["STATIC_IP", "EXISTING_VPC", "NAT_GATEWAY"],
  azure: ["STATIC_IP"],
};

const instances: Record<string, [type: string, cpu: number, gibibytes: number, architecture: string][]> = {
  aws: [
    ["t3a.medium", 2, 4, "AMD64"],
    ["t3.medium", 2, 4, "AMD64"],
    ["t3.large", 2, 8, "AMD64"],
    ["m6g.large", 2, 8, "ARM64"],
  ],
  scaleway: [
    ["DEV1-L", 4, 8, "AMD64"],
    ["GP1-S", 8, 32, "AMD64"],
  ],
  gcp: [["e2-standard-4", 4, 16, "AMD64"]],
  azure: [["Standard_B2s", 2, 4, "AMD64"]],
};

// The paths of the types of nodes, by provider.
const instancePaths = {
  aws: ["/aws/instanceType", "/aws/eks/instanceType/{region}"],
  scaleway: ["/scaleway/instanceType", "/scaleway/instanceType/{zone}"],
  gcp: ["/gcp/instanceType/{region}"],
  azure: ["/azure/aks/instanceType/{region}"],
};

const databases = ["POSTGRESQL", "MYSQL", "MONGODB", "REDIS"].map((name) => ({ name }));

const terraformVersions = ["1.9.8", "1.10.5", "1.11.4"];

/** Lists that are the same for everybody: regions, features, types of nodes and databases, versions. */
export const providerRoutes: Route[] = [
  fixed(
    "/cloudProvider",
    Object.keys(regions).map((provider) => ({
      short_name: provider === "scaleway" ? "SCW" : provider.toUpperCase(),
      name: provider,
      regions: regionsOf(provider),
    })),
  ),
  ...Object.keys(regions).flatMap((provider) => [
    fixed(`/${provider}/region`, regionsOf(provider)),
    fixed(`/${provider}/clusterFeature`, (features[provider] ?? []).map(featureOf)),
  ]),
  ...Object.entries(instancePaths).flatMap(([provider, paths]) =>
    paths.map((path) => fixed(path, (instances[provider] ?? []).map(instanceOf))),
  ),
  fixed("/aws/managedDatabase/type", databases),
  fixed("/scaleway/managedDatabase/type", databases),
  fixed("/aws/managedDatabase/instanceType/{region}/{databaseType}", [
    { name: "db.t3.small" },
    { name: "db.t3.medium" },
  ]),
  fixed(
    "/terraform/availableVersion",
    ["TERRAFORM", "OPEN_TOFU"].flatMap((engine) => terraformVersions.map((version) => ({ engine, version }))),
  ),
  get("/ips", () => ({ ips: ["192.0.2.1", "192.0.2.2"] })),
];

function fixed(path: string, elements: object[]): Route {
  return list(
    path,
    () => elements,
    (element) => element,
  );
}

function regionsOf(provider: string): object[] {
  return (regions[provider] ?? []).map(([name, country, country_code, city]) => ({
    name,
    country,
    country_code,
    city,
  }));
}

/** A feature under the name by which clients find it. */
function featureOf(id: string): object {
  return {
    id,
    title: id,
    is_cloud_provider_paying_feature: false,
    is_qovery_paying_feature: false,
    value_type: "BOOLEAN",
    is_value_updatable: false,
    accepted_values: [],
  };
}

function instanceOf([type, cpu, ram_in_gb, architecture]: [string, number, number, string]): object {
  const unlimited = { bandwidth_in_gbps: "", bandwidth_guarantee: "" };
  return { type, name: type, cpu, ram_in_gb, architecture, ...unlimited };
}
