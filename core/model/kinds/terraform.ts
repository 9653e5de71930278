import { type Fields, isFields, type Json, sameJson } from "../../values/json.ts";
import {
  advancedSettings,
  deploymentRestrictions,
  besideSource,
  secretSources,
  versionMember,
} from "../parts/index.ts";
import {
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
import { description, plainGitRepository } from "./fields.ts";
import { defineKind } from "./kind.ts";
import { iconField, service, serviceReports, serviceParts } from "./service.ts";

const backend = object(
  "Where the state is kept: `kubernetes`, `user_provided` or `blueprint`.",
  {
    kubernetes: map("The state is kept in the cluster; write `{}`.", undefined, {
      loses: { when: "gone", what: "Terraform state" },
    }),
    user_provided: map("The Terraform files configure the backend; write `{}`."),
    blueprint: object("The backend of a blueprint.", {
      type: needed(word("Type of the backend.")),
      config: map("Configuration.", text()),
    }),
  },
  {
    alternatives: [["kubernetes"], ["user_provided"], ["blueprint"]],
    needsOneOf: ["kubernetes", "user_provided", "blueprint"],
  },
);

const variablesSource = object(
  "Terraform variables.",
  {
    tf_var_file_paths: list(word(), "Paths of `.tfvars` files in the repository.", {
      default: [],
      alwaysSent: true,
    }),
    tf_vars: set(
      ["key"],
      object(
        undefined,
        {
          key: required(word("Name of the variable.")),
          value: withoutDefault(text("Value.", { hiddenWhen: "secret" })),
          secret: flag("Whether the API never shows the value again.", { default: false }),
          ...secretSources,
          ...besideSource,
          ...versionMember,
          rotate: flag("Whether this run writes it again.", { default: false, place: "engine" }),
          from_document: word("The document that declares the value.", {
            resettable: false,
            neverShown: true,
            place: "engine",
          }),
        },
        {
          alternatives: [
            ["value"],
            ...Object.keys(secretSources).map((source) => [source]),
            ["from_document"],
          ],
        },
      ),
      "Variables, each identified by its `key`.",
      { alwaysSent: true },
    ),
  },
  { default: {}, alwaysSent: true },
);

const resources = object("CPU, memory and storage of a Terraform run.", {
  cpu_milli: needed(wholeNumber("CPU in millicores: 1000 is one CPU.", { minimum: 1 })),
  ram_mib: needed(wholeNumber("Memory in MiB.", { minimum: 1 })),
  gpu: wholeNumber("Number of GPUs.", { minimum: 0, default: 0, alwaysSent: true }),
  storage_gib: needed(wholeNumber("Storage in GiB.", { minimum: 0 })),
});

/**
 * ```yaml
 * kind: Terraform
 * environment: shop/staging
 * name: infra
 * terraform_files_source:
 *   git_repository: { url: https://github.com/acme/infra, branch: main }
 * backend: { kubernetes: {} }
 * engine: OPEN_TOFU
 * provider_version: { explicit_version: 1.9.7 }
 * job_resources: { cpu_milli: 500, ram_mib: 512, storage_gib: 1 }
 * ```
 */
export const terraform = defineKind({
  name: "Terraform",
  description: "A Terraform service runs the Terraform or OpenTofu files of a git repository.",
  ...service("terraform", { version: () => "git_commit_id" }),
  fields: object({
    description: { ...description, alwaysSent: true },
    terraform_files_source: needed(
      object("Where the files are.", { git_repository: needed(plainGitRepository) }),
    ),
    terraform_variables_source: variablesSource,
    backend: needed(backend),
    engine: needed(choice(["TERRAFORM", "OPEN_TOFU"], "The engine that runs the files.")),
    provider_version: needed(
      object("Version of the engine.", {
        explicit_version: needed(word("Version of the engine.")),
        read_from_terraform_block: withoutDefault(flag("Whether the files say which version.")),
      }),
    ),
    job_resources: needed(resources),
    auto_deploy_config: object(
      "Automatic deployment of new commits.",
      {
        auto_deploy: flag("Whether a new commit deploys it automatically.", {
          default: false,
          alwaysSent: true,
        }),
        terraform_action: choice(["DEFAULT", "PLAN", "NOOP"], "Action of an automatic deployment.", {
          default: "DEFAULT",
          alwaysSent: true,
        }),
      },
      { default: {}, alwaysSent: true },
    ),
    timeout_sec: wholeNumber("Seconds until a run counts as failed.", { minimum: 0, default: 600 }),
    use_cluster_credentials: withoutDefault(flag("Whether runs have the credentials of the cluster.")),
    action_extra_arguments: map(
      "Arguments added to Terraform commands, by command: `plan: [-parallelism=5]`.",
      list(text()),
      { default: {} },
    ),
    dockerfile_fragment: object("Lines that are added to the Dockerfile of the engine.", {
      type: needed(choice(["file", "inline"], "Where the lines are: `file` or `inline`.")),
      path: word("Path of the file in the repository, for `file`."),
      content: word("The lines, for `inline`."),
    }),
    ...iconField("terraform"),
    blueprint_id: text("Id of the blueprint that it is created from.", { format: "uuid" }),
  }),
  parts: [...serviceParts("terraform"), advancedSettings("terraform"), deploymentRestrictions("terraform")],
  outputs: {},
  facts: ["auto_deploy"],
  reports: serviceReports,
  form: {
    inRequestForm(response) {
      const files = response["terraform_files_source"];
      if (!isFields(files) || !isFields(files["git"])) return response;
      const { git, ...others } = files;
      return { ...response, terraform_files_source: { ...others, ...git } };
    },
  },
  problem({ how, current, desired }) {
    const field = "terraform_variables_source";
    const declared = variablesOf(desired);
    const names = (some: readonly Fields[]) => some.map(({ key }) => String(key)).join(", ");
    const visible = declared.filter((variable) => variable["secret"] !== true && hasSource(variable));
    if (visible.length > 0)
      return {
        field,
        message: `the API would show the value of ${names(visible)}, which comes from a source of secrets; add secret: true`,
      };
    // A clone without overrides sends no update, so it loses nothing.
    if (how === "create" || (how === "clone" && sameJson(current, desired))) return undefined;
    const lost = declared.filter(
      (variable) => variable["secret"] === true && variable["value"] === undefined && !hasSource(variable),
    );
    return lost.length === 0
      ? undefined
      : {
          field,
          message: `the API does not show the value of ${names(lost)}, and a change would lose it; declare the value of each secret variable`,
        };
  },
});

function variablesOf(fields: Fields): Fields[] {
  const source: Json | undefined = fields["terraform_variables_source"];
  const listed = isFields(source) ? source["tf_vars"] : undefined;
  return Array.isArray(listed) ? listed.filter(isFields) : [];
}

function hasSource(variable: Fields): boolean {
  return [...Object.keys(secretSources), "from_document"].some((source) => variable[source] !== undefined);
}
