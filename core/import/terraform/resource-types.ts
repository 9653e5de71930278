import { type Fields, own } from "../../json.ts";
import { type Kind, kindOf } from "../../kinds/index.ts";

// The facts of the Terraform provider of the API: its types of resources and their attributes. What a type shares by name
// with the fields of its kind is not listed.

/** The beginning of every type of the provider. */
export const typePrefix = "qovery_";

/** A type of resources that a kind has documents for. */
export interface ResourceType {
  kind: Kind;
  /** The members of documents that state attributes of other names: `kubernetes` for `kubernetes_mode`. */
  statedAs: Readonly<Record<string, string>>;
  /** The attributes that no manifest states and that nobody misses: the server decides them. */
  reported: readonly string[];
  /** The attributes that no manifest can state, each with the reason. */
  inexpressible: Readonly<Record<string, string>>;
  /** The attributes with values that only the state shows, and that no document needs. */
  heldSecrets: readonly string[];
  /** The loss when the provider replaces a resource, because it cannot change one after an import. */
  lostByReplacement?: string;
  /** An import names no organization, which the provider needs to find the resource. */
  importMayFail?: true;
  /** The id in an import: the resource's own alone; default: with the id of the organization, or of its parent. */
  importedBy?: "id" | "name";
  /** Whether a resource with these fields is of the type; absent: every one of the kind is. */
  holds?(fields: Fields): boolean;
}

/** A type of resources without documents. */
export interface ForeignType {
  /** Why there is none. */
  why: string;
  advice: string;
}

const ofVariables = {
  statedAs: {
    environment_variables: "variables",
    environment_variable_aliases: "variables",
    environment_variable_files: "variables",
    environment_variable_overrides: "variables",
    secret_aliases: "variables",
    external_secrets: "variables",
    external_secret_files: "variables",
    secret_overrides: "secrets",
    secret_files: "secrets",
  },
  reported: ["built_in_environment_variables"],
};

const ofServices = {
  statedAs: {
    ...ofVariables.statedAs,
    deployment_stage_id: "deployment_stage",
    annotations_group_ids: "annotations_groups",
    labels_group_ids: "labels_groups",
    advanced_settings_json: "advanced_settings",
    ephemeral_storage: "ephemeral_storage_in_gib",
  },
  reported: [...ofVariables.reported, "internal_host", "external_host", "state"],
};

function type(kind: string, facts: Partial<Omit<ResourceType, "kind">> = {}): ResourceType {
  return {
    kind: kindOf(kind),
    statedAs: {},
    reported: [],
    inexpressible: {},
    heldSecrets: [],
    ...facts,
  };
}

const isOnPremise = ({ type: given }: Fields) => String(given).startsWith("EKS_ANYWHERE");

const ofGroups = { importedBy: "id", importMayFail: true } as const;

const withRole = { role_id: "role" };

/** The types of resources that kinds have documents for, without the prefix. */
const types: Readonly<Record<string, ResourceType>> = {
  organization: type("Organization", {
    importedBy: "id",
    inexpressible: { plan: "the plan of an organization is chosen in the web console" },
  }),
  project: type("Project", { ...ofVariables, importedBy: "id" }),
  environment: type("Environment", {
    ...ofVariables,
    statedAs: { ...ofVariables.statedAs, cluster_id: "cluster" },
    reported: [...ofVariables.reported, "state"],
  }),
  deployment_stage: type("DeploymentStage", {
    statedAs: { is_after: "after", is_before: "after" },
    importedBy: "name",
  }),
  application: type("Application", {
    ...ofServices,
  }),
  container: type("Container", {
    ...ofServices,
    statedAs: { ...ofServices.statedAs, registry_id: "registry" },
  }),
  database: type("Database", {
    ...ofServices,
    reported: [...ofServices.reported, "login", "port"],
    heldSecrets: ["password"],
  }),
  helm: type("Helm", ofServices),
  job: type("Job", ofServices),
  terraform_service: type("Terraform", {
    ...ofServices,
    statedAs: {
      ...ofServices.statedAs,
      git_repository: "terraform_files_source",
      tfvars_files: "terraform_variables_source",
      variables: "terraform_variables_source",
      engine_version: "provider_version",
      timeout_seconds: "timeout_sec",
      auto_deploy: "auto_deploy_config",
      terraform_action: "auto_deploy_config",
    },
    reported: [...ofServices.reported, "created_at", "updated_at"],
  }),
  annotations_group: type("AnnotationsGroup", ofGroups),
  labels_group: type("LabelsGroup", ofGroups),
  container_registry: type("ContainerRegistry", { statedAs: { kind: "type" } }),
  helm_repository: type("HelmRepository", { statedAs: { kind: "type" } }),
  git_token: type("GitToken", { statedAs: { bitbucket_workspace: "workspace" } }),
  custom_role: type("CustomRole"),
  api_token: type("ApiToken", {
    statedAs: withRole,
    heldSecrets: ["token"],
    lostByReplacement: "the new token has another value, and the present one ends",
  }),
  organization_member: type("Member", {
    statedAs: withRole,
    reported: ["email", "invitation_status", "user_id"],
    importedBy: "name",
  }),
  aws_credentials: type("AwsCredentials", { holds: (fields) => !isOnPremise(fields) }),
  eks_anywhere_vsphere_credentials: type("AwsCredentials", { holds: isOnPremise }),
  gcp_credentials: type("GcpCredentials"),
  scaleway_credentials: type("ScalewayCredentials"),
  cluster: type("Cluster", {
    statedAs: {
      kubernetes_mode: "kubernetes",
      labels_group_ids: "labels_groups",
      advanced_settings_json: "advanced_settings",
      credentials_id: "cloud_provider_credentials",
    },
    reported: ["state", "infrastructure_outputs"],
    inexpressible: { kubeconfig: "no manifest states a kubeconfig" },
    heldSecrets: ["kubeconfig"],
  }),
};

/** The types without documents, without the prefix. */
const foreignTypes: Readonly<Record<string, ForeignType>> = {
  deployment: {
    why: "it starts deployments, and is not a resource",
    advice: "deploy together with an apply, or by itself",
  },
  blueprint: {
    why: "infrasync has no kind for blueprints",
    advice: "leave it to Terraform, or describe the Helm or Terraform service that it has made",
  },
};

/** A type whose resources are members of the documents of others. */
export interface MemberType {
  /** The kind of the documents. */
  owner: Kind;
  /** The attribute with the id of the resource that has the document. */
  ownerIn: string;
  /** The member that states it. */
  member: string;
  /** The attribute with the key of its entry in that member; absent: the member states nothing else. */
  keyIn?: string;
  /** The attributes with the values of secrets of that member, by the paths in it. */
  secrets: Readonly<Record<string, string>>;
}

/** The types that are members, without the prefix. */
const memberTypes: Readonly<Record<string, MemberType>> = {
  cluster_dns_provider: {
    ...ofCluster("cluster_id", "dns_provider"),
    secrets: {
      api_token: "cloudflare.api_token",
      "credentials.aws_secret_access_key": "route53.credentials.aws_secret_access_key",
    },
  },
  argocd_credentials: {
    ...ofCluster("cluster_id", "argo_cd"),
    secrets: { argocd_token: "argocd_token" },
  },
  argocd_destination_cluster_mapping: {
    ...ofCluster("agent_cluster_id", "argo_cd_mappings"),
    keyIn: "argocd_cluster_url",
  },
};

function ofCluster(ownerIn: string, member: string): MemberType {
  return { owner: kindOf("Cluster"), ownerIn, member, secrets: {} };
}

const unknownType: ForeignType = {
  why: "this version of infrasync does not know the type",
  advice: "leave it to Terraform",
};

/** Facts about a type of resources of the provider: `qovery_job`. */
export function resourceType(name: string): ResourceType | MemberType | ForeignType {
  const short = name.slice(typePrefix.length);
  return own(types, short) ?? own(memberTypes, short) ?? own(foreignTypes, short) ?? unknownType;
}

/** All types that are known: `qovery_job`. */
export function typeNames(): string[] {
  return [types, memberTypes, foreignTypes].flatMap((known) =>
    Object.keys(known).map((short) => typePrefix + short),
  );
}

/** The types whose resources have documents of their own: `qovery_job`. */
export function describedTypes(): { name: string; type: ResourceType }[] {
  return Object.entries(types).map(([short, each]) => ({ name: typePrefix + short, type: each }));
}

/** The types of the resources of a kind: `qovery_job`. */
export function typesOfKind(kind: Kind): { name: string; type: ResourceType }[] {
  return describedTypes().filter((each) => each.type.kind === kind);
}

/**
 * The attributes that a kind states under another name: `registry_id` -> `registry`; not those that become entries of a
 * map, as others do, unless the kind has a member of their name that means something else.
 */
export function renamedAttributes({ kind, statedAs }: ResourceType): Map<string, string> {
  const { parentMember, fields } = kind;
  const ofParent = parentMember === undefined ? [] : [[`${parentMember}_id`, parentMember] as const];
  const members = Object.values(statedAs);
  // Types share facts, and not every kind has each member of them.
  const others = Object.entries(statedAs).filter(([attribute, member]) => {
    const schema = fields.properties?.[member];
    const isOnly = members.indexOf(member) === members.lastIndexOf(member);
    return schema && !schema.entries && (isOnly || Object.hasOwn(fields.properties ?? {}, attribute));
  });
  return new Map([...ofParent, ...others]);
}

/** Whether the name of a type says that it is one of the provider. */
export function isOfProvider(name: string): boolean {
  return name.startsWith(typePrefix);
}

/** The place of an attribute in manifests. */
export type AttributeUse = { member: string } | { why: string } | "reported" | "unknown";

/** The place that an attribute of a type of resources gets in manifests. */
export function useOfAttribute(
  { kind, statedAs, reported, inexpressible, heldSecrets }: ResourceType,
  attribute: string,
): AttributeUse {
  if (Object.hasOwn(inexpressible, attribute)) return { why: inexpressible[attribute] ?? "" };
  const member = Object.hasOwn(statedAs, attribute) ? (statedAs[attribute] ?? "") : attribute;
  // Types share facts, and not every kind has each member of them.
  if (Object.hasOwn(kind.fields.properties ?? {}, member)) return { member };
  const isPlace = attribute === "organization_id" || attribute === `${kind.parentMember}_id`;
  if (attribute === "id" || attribute === "name" || isPlace) return "reported";
  return [...reported, ...heldSecrets].includes(attribute) ? "reported" : "unknown";
}
