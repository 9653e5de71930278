import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { lostAttributes, membersUsed, placeOfSecret } from "../../../../core/import/terraform/attributes.ts";
import {
  type ResourceType,
  resourceType,
  typeNames,
  typesOfKind,
  useOfAttribute,
} from "../../../../core/import/terraform/resource-types.ts";
import { kindOf, kinds } from "../../../../core/kinds/index.ts";
import type { Fields } from "../../../../core/json.ts";

/** The types of the provider, from its documentation: each with what it has beside its id and its place. */
const documented: Record<string, string> = {
  annotations_group: "annotations name scopes",
  api_token: "name role_id description token",
  application:
    "git_repository healthchecks name advanced_settings_json annotations_group_ids arguments auto_deploy auto_preview autoscaling build_mode cpu custom_domains deployment_restrictions deployment_stage_id docker_target_build_stage dockerfile_path entrypoint environment_variable_aliases environment_variable_files environment_variable_overrides environment_variables ephemeral_storage external_secret_files external_secrets icon_uri is_skipped labels_group_ids max_running_instances memory min_running_instances ports secret_aliases secret_files secret_overrides secrets storage built_in_environment_variables external_host internal_host",
  aws_credentials: "name access_key_id role_arn secret_access_key",
  cluster:
    "cloud_provider credentials_id name region advanced_settings_json description disk_size features infrastructure_charts_parameters instance_type keda kubeconfig kubernetes_mode labels_group_ids max_running_nodes min_running_nodes production routing_table secret_manager_accesses state infrastructure_outputs",
  container:
    "healthchecks image_name name registry_id tag advanced_settings_json annotations_group_ids arguments auto_deploy auto_preview autoscaling cpu custom_domains deployment_stage_id entrypoint environment_variables ephemeral_storage external_secret_files external_secrets icon_uri is_skipped labels_group_ids max_running_instances memory min_running_instances ports secrets storage external_host internal_host",
  container_registry: "kind name url config description",
  custom_role: "name cluster_permissions description project_permissions",
  database:
    "mode name type version accessibility annotations_group_ids cpu deployment_stage_id icon_uri instance_type is_skipped labels_group_ids memory storage external_host internal_host login password port",
  deployment_stage: "name description is_after is_before",
  eks_anywhere_vsphere_credentials:
    "name vsphere_password vsphere_user access_key_id role_arn secret_access_key",
  environment: "cluster_id name mode environment_variables secrets external_secrets secret_files",
  gcp_credentials: "name gcp_credentials service_account_email workload_identity_provider_resource",
  git_token: "name token type bitbucket_workspace description",
  helm: "allow_cluster_wide_resources description name source values_override advanced_settings_json arguments auto_deploy auto_preview blueprint_id custom_domains deployment_restrictions deployment_stage_id icon_uri is_skipped ports timeout_sec secrets",
  helm_repository: "kind name skip_tls_verification url config description",
  job: "healthchecks name schedule advanced_settings_json annotations_group_ids auto_deploy auto_preview cpu deployment_restrictions deployment_stage_id ephemeral_storage icon_uri is_skipped labels_group_ids max_duration_seconds max_nb_restart memory port source external_host internal_host",
  labels_group: "labels name",
  organization: "name plan description",
  organization_member: "email role_id invitation_status user_id",
  project: "name description environment_variables secrets",
  scaleway_credentials:
    "name scaleway_access_key scaleway_organization_id scaleway_project_id scaleway_secret_key",
  terraform_service:
    "auto_deploy backend engine engine_version git_repository job_resources name tfvars_files action_extra_arguments advanced_settings_json blueprint_id deployment_stage_id description external_secrets icon_uri is_skipped terraform_action timeout_seconds use_cluster_credentials variables created_at updated_at",
};

const known = (name: string): ResourceType => {
  const type = resourceType(`qovery_${name}`);
  if (!("kind" in type)) throw new Error(`${name} has no kind`);
  return type;
};

describe.each(Object.entries(documented))("%s", (name, attributes) => {
  const { kind } = known(name);
  const place = kind.parentMember === undefined ? "organization_id" : `${kind.parentMember}_id`;

  test("each documented attribute is a member, reported, or known to be lost", () => {
    const uses = ["id", place, ...attributes.split(" ")].map((attribute) => [
      attribute,
      useOfAttribute(known(name), attribute),
    ]);
    expect(uses.filter(([, use]) => use === "unknown")).toEqual([]);
  });
});

test("the page says what becomes of each type", () => {
  const page = readFileSync(
    join(import.meta.dirname, "../../../../docs/guides/moving-from-terraform.md"),
    "utf8",
  );
  const [, table = ""] = /## What becomes of each type\n([^#]*)/.exec(page) ?? [];
  const rows = new Map(
    [...table.matchAll(/^\| ((?:`qovery_\w+`(?:, )?)+) \| (.*) \|$/gm)].flatMap(
      ([, names = "", becomes = ""]) =>
        names.split(", ").map((name) => [name.slice(1, -1), becomes] as const),
    ),
  );
  expect([...rows.keys()].toSorted()).toEqual(typeNames().toSorted());
  for (const name of typeNames()) {
    const type = resourceType(name);
    const named = "kind" in type ? type.kind.name : "member" in type ? type.member : "nothing";
    expect(`${name}: ${rows.get(name)}`).toContain(`\`${named}\``.replace("`nothing`", "nothing"));
  }
});

test("a kind without a type is one that the provider does not have", () => {
  expect(kinds.filter((kind) => typesOfKind(kind).length === 0).map(({ name }) => name)).toEqual([
    "DeploymentRule",
    "Backup",
    "OnPremiseCredentials",
    "Webhook",
  ]);
  expect(typesOfKind(kindOf("AwsCredentials")).map(({ name }) => name)).toEqual([
    "qovery_aws_credentials",
    "qovery_eks_anywhere_vsphere_credentials",
  ]);
});

test.each<[string, Fields, string[], string[]]>([
  ["nothing", {}, [], []],
  ["empty values", { cpu: null, secrets: [], healthchecks: {}, is_skipped: false, icon_uri: "" }, [], []],
  [
    "members of other names",
    { deployment_stage_id: "1", labels_group_ids: ["2"] },
    ["deployment_stage", "labels_groups"],
    [],
  ],
  ["what the server decides", { id: "1", environment_id: "2", internal_host: "x" }, [], []],
  [
    "what is lost",
    { is_skipped: true, secret_files: [{}], brand_new: 0 },
    [],
    ["is_skipped", "secret_files", "brand_new"],
  ],
  [
    "names of the language",
    { constructor: 1, __proto__x: 1, toString: 1 } as Fields,
    [],
    ["constructor", "__proto__x", "toString"],
  ],
])("what a job with %s states and loses", (_name, attributes, members, lost) => {
  expect([...membersUsed(known("job"), attributes)]).toEqual(members);
  expect(lostAttributes(known("job"), attributes).map(({ attribute }) => attribute)).toEqual(lost);
});

test.each<[string, Fields, string[], string | undefined]>([
  ["git_token", { token: "x" }, ["token"], "token"],
  ["git_token", { token: null }, ["token"], undefined],
  ["container_registry", { config: { password: "x" } }, ["config", "password"], "config.password"],
  ["container_registry", { config: { username: "x" } }, ["config", "password"], undefined],
  ["container_registry", { config: "x" }, ["config", "password"], undefined],
  [
    "terraform_service",
    { variables: [{ key: "a", value: "x" }], tfvars_files: ["a"] },
    ["terraform_variables_source", "tf_vars", "[a]"],
    'variables["a"].value',
  ],
  [
    "cluster",
    { secret_manager_accesses: [{ name: "s", authentication: { secret_key: "x" } }] },
    ["secret_manager_accesses", "[s]", "authentication", "secret_key"],
    'secret_manager_accesses["s"].authentication.secret_key',
  ],
  ["cluster", { secret_manager_accesses: [] }, ["secret_manager_accesses", "[s]", "x"], undefined],
])("the place of a secret of %s %j at %j is %s", (name, attributes, path, place) => {
  expect(placeOfSecret(known(name), attributes, path)).toBe(place);
});
