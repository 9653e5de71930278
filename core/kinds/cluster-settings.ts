import { isFields, type Fields, type Json } from "../json.ts";
import {
  anything,
  choice,
  flag,
  list,
  map,
  needed,
  object,
  required,
  set,
  text,
  wholeNumber,
  withoutDefault,
  word,
} from "../schema/field.ts";
import { secretFieldWithoutVersion } from "./secret-field.ts";

const optional = (description: string) => withoutDefault(text(description));

const features = set(
  ["id"],
  object({
    id: required(text("Name of the feature, such as KARPENTER or STATIC_IP, or its id.")),
    value: anything(
      "Its value: a text, true or false, or the object of an existing network, of Karpenter (node pools, disks) or of a NAT gateway.",
    ),
  }),
  "Features, each with its value. An update keeps them all.",
);

const metrics = object(
  {
    enabled: withoutDefault(flag("Whether metrics are collected.")),
    configuration: withoutDefault(map("How metrics are collected; its `kind` is `MANAGED_BY_QOVERY`.")),
  },
  "Metrics of the cluster.",
);

const charts = object(
  {
    nginx_parameters: object(
      {
        replica_count: withoutDefault(wholeNumber("Number of replicas.", { minimum: 0 })),
        default_ssl_certificate: optional("The certificate that it shows by default."),
        publish_status_address: optional("The address that it publishes."),
        annotation_metal_lb_load_balancer_ips: optional("Addresses of the load balancer."),
        annotation_external_dns_kubernetes_target: optional("Target of external DNS."),
      },
      "Nginx.",
    ),
    cert_manager_parameters: object(
      { kubernetes_namespace: optional("The namespace that it is in.") },
      "The manager of certificates.",
    ),
    metal_lb_parameters: object(
      { ip_address_pools: withoutDefault(list(text(), "Pools of addresses.")) },
      "MetalLB.",
    ),
    eks_anywhere_parameters: withoutDefault(
      map(
        "EKS Anywhere: the git repository, the path of the YAML file in it, and the backup of the cluster.",
      ),
    ),
  },
  "Parameters of the charts that run the cluster.",
);

const staticKeys = "AWS_STATIC_CREDENTIALS";
const json = "GCP_JSON_CREDENTIALS";

const access = object({
  name: required(word("Its name.")),
  endpoint: needed(
    object(
      {
        mode: needed(
          choice(["AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE", "GCP_SECRET_MANAGER"], "The secret manager."),
        ),
        region: needed(word("Region.")),
        project_id: withoutDefault(word("Project, at Google Cloud.")),
      },
      "Where it is.",
    ),
  ),
  authentication: needed(
    object(
      {
        mode: needed(
          choice(["AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN", staticKeys, json], "How the cluster logs in."),
        ),
        role_arn: withoutDefault(word("AWS role.")),
        region: withoutDefault(word("Region.")),
        access_key: withoutDefault(word("Id of an AWS access key.")),
        secret_key: secretFieldWithoutVersion("The AWS access key."),
        json_credentials: secretFieldWithoutVersion("The key of a service account, as JSON."),
      },
      "How the cluster logs in.",
    ),
  ),
});

const accesses = set(["name"], access, "Secret managers that services on the cluster can read.", {
  identified: true,
});

/** The members of a cluster's request beside its nodes. An update without one of them would delete it. */
export const clusterSettings = {
  features,
  metrics_parameters: metrics,
  infrastructure_charts_parameters: charts,
  secret_manager_accesses: accesses,
};

/** A response in request form: a feature has its value in an object, and of a secret there is no sign. */
export function settingsInRequestForm(response: Fields): Fields {
  const { features: shown, secret_manager_accesses: shownAccesses } = response;
  return {
    ...response,
    ...(Array.isArray(shown) && { features: shown.map(featureIn) }),
    ...(Array.isArray(shownAccesses) && { secret_manager_accesses: shownAccesses.map(accessIn) }),
  };
}

function featureIn(shown: Json): Json {
  if (!isFields(shown)) return shown;
  const { id = null, value_object: shownValue } = shown;
  const value = isFields(shownValue) ? (shownValue["value"] ?? null) : null;
  return { id, ...(value !== null && { value }) };
}

function accessIn(shown: Json): Json {
  if (!isFields(shown) || !isFields(shown["authentication"])) return shown;
  const { mode } = shown["authentication"];
  return {
    ...shown,
    authentication: {
      ...shown["authentication"],
      ...(mode === staticKeys && { secret_key: {} }),
      ...(mode === json && { json_credentials: {} }),
    },
  };
}

const needsOfDns: Readonly<Record<string, readonly string[]>> = {
  CLOUDFLARE: ["email", "api_token"],
  ROUTE53: ["credentials", "aws_region"],
};

/** A mistake in the DNS provider or the Argo CD of a cluster that their schemas do not find. */
export function problemOfSettings(wanted: Fields): { field: string; message: string } | undefined {
  return dnsProblem(wanted["dns_provider"]) ?? argoProblem(wanted["argo_cd"], wanted["argo_cd_mappings"]);
}

function dnsProblem(dns: Json | undefined): { field: string; message: string } | undefined {
  if (!isFields(dns)) return undefined;
  const provider = String(dns["provider"]);
  const missing = (needsOfDns[provider] ?? []).find((member) => dns[member] === undefined);
  return missing === undefined
    ? undefined
    : { field: "dns_provider", message: `the provider ${provider} needs ${missing}` };
}

function argoProblem(
  argo: Json | undefined,
  mappings: Json | undefined,
): { field: string; message: string } | undefined {
  const { argocd_url: url, argocd_token: token } = isFields(argo) ? argo : {};
  if (url !== undefined && token === undefined)
    return { field: "argo_cd", message: "it needs argocd_token, which the API does not show" };
  return isFields(mappings) && Object.keys(mappings).length > 0 && url === undefined
    ? { field: "argo_cd_mappings", message: "they need argo_cd, which the cluster does not have" }
    : undefined;
}
