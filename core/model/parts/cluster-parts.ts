import { path } from "../../api/index.ts";
import { type Fields, isFields, type Json, presentIn, textIn } from "../../values/json.ts";
import {
  choice,
  flag,
  keyed,
  needed,
  object,
  reference,
  required,
  withoutDefault,
  word,
} from "../schema/field.ts";
import { memberEntry, objectPart } from "./object-part.ts";
import type { Part, PartListing } from "./part.ts";
import { secretEntry, secretField } from "./secret-schema.ts";

/** The members of each DNS provider, beside its domain. */
const dnsMembers: Readonly<Record<string, readonly string[]>> = {
  QOVERY: [],
  CLOUDFLARE: ["email", "api_token", "proxied"],
  ROUTE53: ["credentials", "aws_region", "hosted_zone_id"],
};

const { version: _version, ...sources } = secretEntry.properties ?? {};
const secret = (description: string) => ({ ...secretField(description), properties: sources });

const [, ...dnsGroups] = Object.values(dnsMembers);

const dnsSchema = object(
  "The DNS provider of the cluster.",
  {
    provider: choice(Object.keys(dnsMembers), "Provider of the domain.", {
      default: "QOVERY",
      alwaysSent: true,
    }),
    domain: required(word("The domain of the cluster.", { generated: String.raw`^z[0-9a-f]{8}\.` })),
    email: withoutDefault(word("Address of email of the account, at Cloudflare.")),
    api_token: secret("Token of Cloudflare."),
    proxied: withoutDefault(
      flag("Whether Cloudflare is a proxy in between.", { platformSets: [{ is: false }] }),
    ),
    credentials: object(
      "Access to Route 53.",
      {
        type: withoutDefault(choice(["STATIC"], "How the cluster logs in.")),
        aws_access_key_id: needed(word("Id of an AWS access key.")),
        aws_secret_access_key: secret("The AWS access key."),
      },
      { resettable: false },
    ),
    aws_region: withoutDefault(word("AWS region, at Route 53.")),
    hosted_zone_id: withoutDefault(word("Hosted zone, at Route 53.")),
  },
  { alternatives: dnsGroups.map((group) => [...group]) },
);

/** The DNS provider of a cluster. A PUT replaces it, so every request carries all of it, secrets included. */
export const dnsProvider: Part = objectPart({
  name: "DNS setting",
  member: "dns_provider",
  schema: dnsSchema,
  listing: (id) => ({ path: path`/cluster/${id}/dnsProvider`, entriesIn: dnsEntries }),
  write: (id, _organizationId, fields, unknown) => ({
    withUnknown: ({ dns_provider: provider }) => ({
      dns_provider: { ...unknown, ...(isFields(provider) && provider) },
    }),
    method: "PUT",
    path: path`/cluster/${id}/dnsProvider`,
    filled: {
      schema: dnsSchema,
      fields: presentIn(fields, ["provider", "domain", ...(dnsMembers[String(fields["provider"])] ?? [])]),
      bodyOf: (request) => ({ dns_provider: withLoginType(request) }),
    },
  }),
});

function dnsEntries({ dns_provider: shown }: Fields): Fields[] {
  if (!isFields(shown)) return [];
  const { credentials, ...others } = shown;
  return [
    ...Object.entries(others).map(([name, value]) => memberEntry(name, value)),
    ...(shown["provider"] === "CLOUDFLARE" ? [memberEntry("api_token", {})] : []),
    ...(isFields(credentials)
      ? [memberEntry("credentials", { ...credentials, aws_secret_access_key: {} })]
      : []),
  ];
}

function withLoginType(request: Fields): Fields {
  const { credentials } = request;
  return isFields(credentials) ? { ...request, credentials: { type: "STATIC", ...credentials } } : request;
}

const infoSchema = object("How the API logs in to the provider of the cluster.", {
  credentials: reference(
    "credentials",
    "The credentials with which the API manages the cluster, by name or id.",
    { resettable: false },
  ),
});

const infoPath = (id: string, organizationId: string) =>
  path`/organization/${organizationId}/cluster/${id}/cloudProviderInfo`;

/** The credentials of a cluster, which its own requests and answers omit. */
export const cloudProviderCredentials: Part = objectPart({
  name: "credentials setting",
  member: "cloud_provider_credentials",
  schema: infoSchema,
  listing: (id, organizationId) => ({
    path: infoPath(id, organizationId),
    entriesIn: ({ credentials }) =>
      isFields(credentials) ? [memberEntry("credentials", presentIn(credentials, ["id", "name"]))] : [],
  }),
  write: (id, organizationId, fields) => ({
    method: "POST",
    path: infoPath(id, organizationId),
    filled: {
      schema: infoSchema,
      fields,
      bodyOf: ({ credentials_id: credentials = null }) => ({ credentials: { id: credentials } }),
    },
  }),
});

const argoSchema = object("The Argo CD that runs in the cluster.", {
  argocd_url: word("URL of Argo CD. `null` removes Argo CD with its mappings."),
  argocd_token: secret("The token with which the API reads Argo CD."),
});

const mappingsPath = (organizationId: string) =>
  path`/organization/${organizationId}/argoCdDestinationClusterMapping`;

/** One list has the services in all clusters of the organization, and their mappings. */
const argoListing = (_id: string, organizationId: string): PartListing => ({
  path: mappingsPath(organizationId),
  entriesIn: ({ results }) => (Array.isArray(results) ? results.flatMap(instanceEntries) : []),
});

function instanceEntries(instance: Json): Fields[] {
  if (!isFields(instance)) return [];
  const { agent_cluster_id: agent = null, argocd_url: url = null, linked_clusters: linked } = instance;
  return [
    memberEntry("argocd_url", url, { agent }),
    memberEntry("argocd_token", {}, { agent }),
    ...(Array.isArray(linked) ? linked : [])
      .filter(isFields)
      .map((mapping) => ({
        agent,
        url: mapping["argocd_cluster_url"] ?? null,
        cluster: { id: mapping["qovery_cluster_id"] ?? null, name: mapping["qovery_cluster_name"] ?? null },
      })),
  ];
}

const agentOf = (entry: Fields) => textIn(entry, "agent");

export const argoCd: Part = objectPart({
  name: "Argo CD setting",
  member: "argo_cd",
  schema: argoSchema,
  listing: argoListing,
  ownerOf: agentOf,
  goesWith: goesWithUrl,
  write: (id, _organizationId, fields) => {
    const config = path`/cluster/${id}/argoCdConfig`;
    return fields["argocd_url"] === undefined
      ? { method: "DELETE", path: config }
      : {
          method: "POST",
          path: config,
          filled: { schema: argoSchema, fields, bodyOf: (request) => request },
        };
  },
});

const mappingSchema = keyed(
  {
    pattern: String.raw`^https?://\S+$`,
    message: "is not the URL of a destination",
    advice: "write one such as https://kubernetes.default.svc",
  },
  object({
    cluster: reference(
      "cluster",
      "Cluster of the organization at this destination, by name or id; default: the cluster in which Argo CD runs.",
      { resettable: false },
    ),
  }),
  "The destinations of Argo CD by their URLs, each with its cluster; only those that are declared are changed.",
);

export const argoCdMappings: Part = {
  name: "Argo CD mapping",
  member: "argo_cd_mappings",
  listing: argoListing,
  keyOf: (entry) => textIn(entry, "url"),
  isOwn: (entry, id) => agentOf(entry) === id,
  isConfiguration: true,
  form: {
    schema: mappingSchema,
    declaredAs: mappingAsDeclared,
    goesWith: goesWithUrl,
    nextRequest(id, [change], _listed, organizationId) {
      if (!change) return undefined;
      const { key, desired } = change;
      const where = mappingsPath(organizationId);
      return !isFields(desired)
        ? {
            method: "DELETE",
            path: `${where}?agentClusterId=${encodeURIComponent(id)}&argocdClusterUrl=${encodeURIComponent(key)}`,
            keys: [key],
          }
        : {
            method: "POST",
            path: where,
            body: { agent_cluster_id: id, argocd_cluster_url: key, cluster_id: clusterIn(desired) ?? id },
            keys: [key],
            isAnsweredBy: isFields,
          };
    },
  },
};

function mappingAsDeclared({ agent = null, cluster = null }: Fields): Fields {
  return isFields(cluster) && cluster["id"] === agent ? {} : { cluster };
}

/** Without its URL, there is neither a token nor a mapping. */
function goesWithUrl(entry: Fields, other: Fields): boolean {
  return other["name"] === "argocd_url" && entry !== other && agentOf(entry) === agentOf(other);
}

function clusterIn({ cluster }: Fields): string | undefined {
  return isFields(cluster) ? textIn(cluster, "id") : undefined;
}
