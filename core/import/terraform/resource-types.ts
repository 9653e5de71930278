import type { Fields } from "../../json.ts";
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
  /** The loss when the provider replaces a resource, because it cannot change one after an import. */
  lostByReplacement?: string;
  /** An import names no organization, which the provider needs to find the resource. */
  importMayFail?: true;
  /** The id in an import: the resource's own alone; default: with the id of the organization, or of its parent. */
  importedBy?: "id" | "name";
  /** Whether a resource with these fields is of the type; absent: every one of the kind is. */
  holds?(fields: Fields): boolean;
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
};

function type(kind: string, facts: Partial<Omit<ResourceType, "kind">> = {}): ResourceType {
  return {
    kind: kindOf(kind),
    statedAs: {},
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
  }),
  project: type("Project", { ...ofVariables, importedBy: "id" }),
  environment: type("Environment", {
    ...ofVariables,
    statedAs: { ...ofVariables.statedAs, cluster_id: "cluster" },
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
  }),
  annotations_group: type("AnnotationsGroup", ofGroups),
  labels_group: type("LabelsGroup", ofGroups),
  container_registry: type("ContainerRegistry", { statedAs: { kind: "type" } }),
  helm_repository: type("HelmRepository", { statedAs: { kind: "type" } }),
  git_token: type("GitToken", { statedAs: { bitbucket_workspace: "workspace" } }),
  custom_role: type("CustomRole"),
  api_token: type("ApiToken", {
    statedAs: withRole,
    lostByReplacement: "the new token has another value, and the present one ends",
  }),
  organization_member: type("Member", {
    statedAs: withRole,
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
  }),
};

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
