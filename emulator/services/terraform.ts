import { invalid } from "../world/errors.ts";
import { TerraformDeployRequest } from "./deploy-request.ts";
import { TerraformRequest } from "./terraform-request.ts";
import { defineServiceKind } from "./kind.ts";
import * as shared from "./common-fields.ts";

const backends = ["kubernetes", "user_provided", "blueprint"];

/** A Terraform or OpenTofu configuration. */
export const terraform = defineServiceKind({
  kind: "terraform",
  create: TerraformRequest,
  edit: TerraformRequest,
  deploy: TerraformDeployRequest,
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

  copy: (spec) => spec,

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
