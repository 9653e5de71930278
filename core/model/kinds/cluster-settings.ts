import { secretField } from "../parts/index.ts";
import { isFields, type Fields, type Json } from "../../values/json.ts";
import {
  choice,
  flag,
  list,
  map,
  needed,
  object,
  required,
  set,
  type SchemaMember,
  text,
  wholeNumber,
  withoutDefault,
  word,
} from "../schema/field.ts";
import { field, say } from "../../problems/say.ts";
import type { FieldMistake } from "./kind-members.ts";
import { featureProblem, features } from "./cluster-features.ts";

const optional = (description: string) => withoutDefault(text(description));

/** An object that is compared and written as a whole. */
const whole = (description: string, members: Record<string, SchemaMember>) =>
  withoutDefault({ ...object(description, members), opaque: true });

const metrics = object("Metrics of the cluster.", {
  enabled: withoutDefault(flag("Whether metrics are collected.")),
  configuration: whole("How metrics are collected.", {
    kind: choice(["MANAGED_BY_QOVERY"], "Management of the metrics."),
    resource_profile: choice(["LOW", "NORMAL", "HIGH"], "How much they may use."),
    cloud_watch_export_config: object("Export to CloudWatch.", {
      enabled: required(flag("Whether they are exported.")),
    }),
    high_availability: flag("Whether they are highly available."),
    internal_network_monitoring: object("Watching of the internal network.", {
      enabled: required(flag("Whether it is watched.")),
    }),
    alerting: object("Alerts.", {
      enabled: required(flag("Whether alerts are sent.")),
      default_rule_labels: map("Labels of the default rules.", text()),
      spec_config_secret: text("Name of the secret with the configuration."),
      spec_external_url: text("URL of the alert manager."),
      config_name: text("Name of the configuration."),
    }),
  }),
});

const charts = object("Parameters of the charts that run the cluster.", {
  nginx_parameters: object("Nginx.", {
    replica_count: withoutDefault(wholeNumber("Number of replicas.", { minimum: 0 })),
    default_ssl_certificate: optional("The certificate that it shows by default."),
    publish_status_address: optional("The address that it publishes."),
    annotation_metal_lb_load_balancer_ips: optional("Addresses of the load balancer."),
    annotation_external_dns_kubernetes_target: optional("Target of external DNS."),
  }),
  cert_manager_parameters: object("The manager of certificates.", {
    kubernetes_namespace: optional("The namespace that it is in."),
  }),
  metal_lb_parameters: object("MetalLB.", {
    ip_address_pools: withoutDefault(list(text(), "Pools of addresses.")),
  }),
  eks_anywhere_parameters: whole(
    "EKS Anywhere: the git repository, the path of the YAML file in it, and the backup of the cluster.",
    {
      git_repository: required(
        object("The git repository.", {
          url: required(word("URL of the repository.", { doubt: "repository" })),
          branch: text("Branch."),
          commit_id: text("Commit."),
          git_token_id: required(word("Id of the git token.")),
          provider: choice(["GITHUB", "GITLAB", "BITBUCKET"], "Git provider."),
        }),
      ),
      yaml_file_path: required(word("Path of the YAML file in the repository.")),
      cluster_backup: object("The backup of the cluster.", {
        enabled: flag("Whether it is made."),
        timeout_seconds: wholeNumber("How long it may take, in seconds."),
        certs_secret_name: text("Name of the secret with the certificates."),
        s3: required(
          object("Where it is kept.", {
            bucket: required(word("Bucket.")),
            region: required(word("Region.")),
            role_arn: required(word("AWS role.")),
            key_prefix: text("Beginning of the keys."),
          }),
        ),
      }),
    },
  ),
});

const staticKeys = "AWS_STATIC_CREDENTIALS";
const json = "GCP_JSON_CREDENTIALS";

const access = object({
  name: required(word("Name.")),
  endpoint: needed(
    object("Where it is.", {
      mode: needed(
        choice(["AWS_SECRET_MANAGER", "AWS_PARAMETER_STORE", "GCP_SECRET_MANAGER"], "The secret manager."),
      ),
      region: needed(word("Region.")),
      project_id: withoutDefault(word("Project, at Google Cloud.")),
    }),
  ),
  authentication: needed(
    object("How the cluster logs in.", {
      mode: needed(
        choice(["AUTOMATICALLY_CONFIGURED", "AWS_ROLE_ARN", staticKeys, json], "How the cluster logs in."),
      ),
      role_arn: withoutDefault(word("AWS role.")),
      region: withoutDefault(word("Region.")),
      access_key: withoutDefault(word("Id of an AWS access key.")),
      secret_key: secretField("The AWS access key."),
      json_credentials: secretField("The key of a service account, as JSON."),
    }),
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

/** A response in request form: the value of a feature is nested, and secrets are missing. */
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
  const { id = null, value_object: shownValue, ...others } = shown;
  const { type: _type, value = null, ...unknown } = isFields(shownValue) ? shownValue : {};
  return {
    ...others,
    id,
    ...(value !== null && { value }),
    ...(Object.keys(unknown).length > 0 && { value_object: unknown }),
  };
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

/** A mistake in the features, the DNS provider or the Argo CD of a cluster that their schemas do not find. */
export function problemOfSettings(desired: Fields): FieldMistake | undefined {
  return (
    featureProblem(desired["features"]) ??
    dnsProblem(desired["dns_provider"]) ??
    argoProblem(desired["argo_cd"], desired["argo_cd_mappings"])
  );
}

function dnsProblem(dns: Json | undefined): FieldMistake | undefined {
  if (!isFields(dns)) return undefined;
  const provider = String(dns["provider"]);
  const missing = (needsOfDns[provider] ?? []).find((member) => dns[member] === undefined);
  return missing === undefined
    ? undefined
    : { field: "dns_provider", message: say`the provider ${provider} needs ${field([missing])}` };
}

function argoProblem(argo: Json | undefined, mappings: Json | undefined): FieldMistake | undefined {
  const { argocd_url: url, argocd_token: token } = isFields(argo) ? argo : {};
  if (url !== undefined && token === undefined)
    return {
      field: "argo_cd",
      message: say`it needs ${field(["argocd_token"])}, which the API does not show`,
    };
  return isFields(mappings) && Object.keys(mappings).length > 0 && url === undefined
    ? {
        field: "argo_cd_mappings",
        message: say`they need ${field(["argo_cd"])}, which the cluster does not have`,
      }
    : undefined;
}
