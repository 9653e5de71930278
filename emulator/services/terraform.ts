import { invalid } from "../world/errors.ts";
import { defineServiceKind } from "./kind.ts";
import * as shared from "./common-fields.ts";
import { Type, type Static } from "typebox";
import {
  GitRepositoryRequest,
  flag,
  id,
  maybe,
  maybeObject,
  name as nameText,
  oneOf,
  text,
} from "../bodies/common.ts";
import { iconUri } from "./request.ts";

/** Body of POST /environment/{environmentId}/terraform and PUT /terraform/{terraformId}. */
const TerraformRequest = Type.Object({
  name: nameText,
  description: Type.String(),
  auto_deploy_config: Type.Object({
    auto_deploy: Type.Boolean(),
    terraform_action: oneOf("DEFAULT", "PLAN", "NOOP"),
  }),
  terraform_files_source: Type.Object({ git_repository: GitRepositoryRequest }),
  terraform_variables_source: Type.Object({
    tf_var_file_paths: Type.Array(Type.String()),
    tf_vars: Type.Array(Type.Object({ key: text, value: text, secret: flag })),
  }),
  // An object with one of the members kubernetes, user_provided and blueprint; the API does not check their contents.
  backend: Type.Unsafe<Record<string, unknown>>({ type: "object", minProperties: 1, maxProperties: 1 }),
  engine: oneOf("TERRAFORM", "OPEN_TOFU"),
  provider_version: Type.Object({ read_from_terraform_block: flag, explicit_version: Type.String() }),
  timeout_sec: Type.Optional(Type.Integer({ default: 600, minimum: 0 })),
  ...iconUri,
  job_resources: Type.Object({
    cpu_milli: Type.Integer({ minimum: 1 }),
    ram_mib: Type.Integer({ minimum: 1 }),
    gpu: Type.Integer({ minimum: 0, default: 0 }),
    storage_gib: Type.Integer({ minimum: 0 }),
  }),
  use_cluster_credentials: Type.Optional(Type.Boolean({ default: false })),
  action_extra_arguments: Type.Optional(
    Type.Unsafe<Record<string, string[]>>({
      type: "object",
      patternProperties: { "": { type: "array", items: { type: "string" } } },
      default: {},
    }),
  ),
  dockerfile_fragment: maybeObject({ type: oneOf("file", "inline"), path: text, content: text }),
  blueprint_id: maybe(id),
});
type TerraformRequest = Static<typeof TerraformRequest>;

const backends = ["kubernetes", "user_provided", "blueprint"];

/** A Terraform or OpenTofu configuration. */
export const terraform = defineServiceKind({
  kind: "terraform",
  create: TerraformRequest,
  edit: TerraformRequest,
  deploy: Type.Object({
    id: maybe(id),
    git_commit_id: text,
    action: maybe(oneOf("PLAN", "FORCE_UNLOCK", "MIGRATE_STATE")),
  }),
  actions: [],
  has: { restrictions: true },

  admit({ name, ...spec }, world) {
    const repository = spec.terraform_files_source.git_repository;
    shared.checkGitRepository("terraform_files_source.git_repository", repository, world);
    const [backend = ""] = Object.keys(spec.backend);
    if (!backends.includes(backend)) throw invalid("backend", `must have one of ${backends.join(", ")}`);
    return { name, spec };
  },

  view({ spec, deployment }, world) {
    const repository = spec.terraform_files_source.git_repository;
    return {
      icon_uri: "app://qovery-console/terraform",
      ...spec,
      auto_deploy: spec.auto_deploy_config.auto_deploy,
      terraform_files_source: {
        git: { git_repository: shared.gitRepositoryView(repository, world, deployment?.gitCommitId) },
      },
      terraform_variables_source: variablesView(spec.terraform_variables_source),
    };
  },

  repository: ({ terraform_files_source: source }) => source.git_repository,

  isBuilt: () => true,

  details: () => ({ commit: null }),
});

/** Without the values of secret variables. */
function variablesView({
  tf_var_file_paths,
  tf_vars,
}: TerraformRequest["terraform_variables_source"]): object {
  return {
    tf_var_file_paths,
    tf_vars: tf_vars.map(({ value, ...rest }) => (rest.secret ? rest : { ...rest, value })),
  };
}
