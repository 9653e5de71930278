import type { Fields } from "../../values/json.ts";
import { type Kind, kindOf } from "../../model/kinds/index.ts";

// The facts of the Terraform provider of the API: its types of resources.

const typePrefix = "qovery_";

export interface ResourceType {
  kind: Kind;
  /** The loss when the provider replaces a resource, because it cannot change one after an import. */
  lostByReplacement?: string;
  /** An import names no organization, which the provider needs to find the resource. */
  importMayFail?: true;
  /** The id in an import: the resource's own alone; default: with the id of the organization, or of its parent. */
  importedBy?: "id" | "name";
  /** Whether a resource with these fields is of the type; absent: every one of the kind is. */
  holds?(fields: Fields): boolean;
}

function type(kind: string, facts: Partial<Omit<ResourceType, "kind">> = {}): ResourceType {
  return { kind: kindOf(kind), ...facts };
}

const isOnPremise = ({ type: given }: Fields) => String(given).startsWith("EKS_ANYWHERE");

const ofGroups = { importedBy: "id", importMayFail: true } as const;

const types: Readonly<Record<string, ResourceType>> = {
  organization: type("Organization", { importedBy: "id" }),
  project: type("Project", { importedBy: "id" }),
  environment: type("Environment"),
  deployment_stage: type("DeploymentStage", { importedBy: "name" }),
  application: type("Application"),
  container: type("Container"),
  database: type("Database"),
  helm: type("Helm"),
  job: type("Job"),
  terraform_service: type("Terraform"),
  annotations_group: type("AnnotationsGroup", ofGroups),
  labels_group: type("LabelsGroup", ofGroups),
  container_registry: type("ContainerRegistry"),
  helm_repository: type("HelmRepository"),
  git_token: type("GitToken"),
  custom_role: type("CustomRole"),
  api_token: type("ApiToken", {
    lostByReplacement: "the new token has another value, and the present token becomes invalid",
  }),
  organization_member: type("Member", { importedBy: "name" }),
  aws_credentials: type("AwsCredentials", { holds: (fields) => !isOnPremise(fields) }),
  eks_anywhere_vsphere_credentials: type("AwsCredentials", { holds: isOnPremise }),
  gcp_credentials: type("GcpCredentials"),
  scaleway_credentials: type("ScalewayCredentials"),
  cluster: type("Cluster"),
};

/** The types of the resources of a kind: `qovery_job`. */
export function typesOfKind(kind: Kind): { name: string; type: ResourceType }[] {
  return Object.entries(types).flatMap(([short, each]) =>
    each.kind === kind ? [{ name: typePrefix + short, type: each }] : [],
  );
}
