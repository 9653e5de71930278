import { type Fields, isFields, mapFields } from "../../values/json.ts";
import { advancedSettings, customDomains, deploymentRestrictions, links } from "../parts/index.ts";
import {
  choice,
  flag,
  list,
  needed,
  object,
  oftenChanged,
  reference,
  required,
  set,
  text,
  wholeNumber,
  withoutDefault,
  word,
} from "../schema/field.ts";
import { description, gitRepository, plainGitRepository, portFields } from "./fields.ts";
import { completeGitRepository } from "./git.ts";
import { defineKind } from "./kind.ts";
import { auto_preview, hostOutputs, iconField, service, serviceReports, serviceParts } from "./service.ts";

const source = object(
  "Where the chart is: `git_repository` or `helm_repository`.",
  {
    git_repository: plainGitRepository,
    helm_repository: object("A chart of a Helm repository.", {
      repository: needed(reference("helmRepository", "Helm repository of the organization, by name or id.")),
      chart_name: needed(word("Name of the chart.", { examples: ["redis"] })),
      chart_version: needed(word("Version of the chart.", { examples: ["20.1.0"] })),
    }),
  },
  {
    alternatives: [["git_repository"], ["helm_repository"]],
    needsOneOf: ["git_repository", "helm_repository"],
  },
);

const selector = object({ key: required(text("Key of the label.")), value: required(text("Value.")) });

const ports = set(
  ["internal_port", "protocol", "namespace", "service_name", "service_selectors"],
  object(
    undefined,
    {
      ...portFields,
      protocol: choice(["HTTP", "GRPC"], "Protocol.", { default: "HTTP" }),
      service_name: word("Name of the Kubernetes service that listens on it."),
      service_selectors: list(selector, "Labels that choose the Kubernetes service that listens on it.", {
        default: [],
      }),
      namespace: word("Namespace of that service."),
      name: word("Name of the port.", { generated: "^p[0-9]+$" }),
      is_default: withoutDefault(
        flag("Whether it is the port of the default domain.", { platformSets: [{ is: "anything" }] }),
      ),
    },
    { alternatives: [["service_name"], ["service_selectors"]] },
  ),
  "Ports of services of the chart that are published, each identified by its `internal_port`, its `protocol` and its service.",
);

const pairs = (what: string) =>
  list(list(text(), undefined, { minItems: 2, maxItems: 2 }), `${what}, each as \`[KEY, VALUE]\`.`, {
    default: [],
  });

const values = object(
  "Values that override those of the chart.",
  {
    set: pairs("Values, like those of `helm --set`"),
    set_string: pairs("Values that stay texts, like those of `helm --set-string`"),
    set_json: pairs("Values in JSON, like those of `helm --set-json`"),
    file: object("Values files.", {
      git: object("Values files in a git repository.", {
        git_repository: needed(gitRepository),
        paths: needed(list(word(), "Paths of the files in it.")),
      }),
      raw: object("Values files with their text.", {
        values: set(
          ["name"],
          object({ name: required(word("Name of the file.")), content: needed(text("Text.")) }),
          "Files, each identified by its `name`.",
        ),
      }),
    }),
  },
  { default: {}, alwaysSent: true },
);

/**
 * ```yaml
 * kind: Helm
 * environment: shop/staging
 * name: cache
 * source:
 *   helm_repository: { repository: charts, chart_name: redis, chart_version: 19.0.1 }
 * ```
 */
export const helm = defineKind({
  name: "Helm",
  description: "A Helm service installs a chart of a Helm repository or of a git repository.",
  ...service("helm", {
    version: ({ source: given }) =>
      isFields(given) && given["git_repository"] ? "git_commit_id" : undefined,
    versionField: ["source", "helm_repository", "chart_version"],
    links: links("helm"),
  }),
  fields: object({
    description,
    source: needed(source),
    values_override: values,
    arguments: list(text(), "Arguments of the `helm` command.", { default: [], alwaysSent: true }),
    ports,
    timeout_sec: wholeNumber("Seconds until an installation counts as failed.", { minimum: 0, default: 600 }),
    allow_cluster_wide_resources: oftenChanged(
      flag("Whether the chart may create resources of the whole cluster.", { default: false }),
    ),
    auto_preview,
    auto_deploy: oftenChanged(
      flag("Whether a new commit deploys it automatically.", { default: false, alwaysSent: true }),
    ),
    ...iconField("helm"),
    blueprint_id: text("Id of the blueprint that it is created from.", { format: "uuid" }),
  }),
  outputs: hostOutputs,
  parts: [
    ...serviceParts("helm"),
    customDomains("helm"),
    advancedSettings("helm"),
    deploymentRestrictions("helm"),
  ],
  reports: serviceReports,
  form: {
    complete: (declared) => within(declared, ["values_override", "file", "git"], completeGitRepository),
    inRequestForm: (response) =>
      within(response, ["source"], ({ git, repository, ...rest }) => ({
        ...rest,
        ...(isFields(git) && git),
        ...(isFields(repository) && { helm_repository: repository }),
      })),
    finishBody: (fields) => ({
      ...within(fields, ["source"], (given) => ({
        // The API requires null for the unused source.
        git_repository: null,
        ...given,
        helm_repository: isFields(given["helm_repository"]) ? withRepository(given["helm_repository"]) : null,
      })),
      ...(Array.isArray(fields["ports"]) && {
        ports: fields["ports"].map((port) => (isFields(port) ? portBody(port) : port)),
      }),
    }),
  },
});

function within(fields: Fields, [member, ...inside]: string[], change: (value: Fields) => Fields): Fields {
  if (member === undefined) return change(fields);
  return mapFields(fields, (value, name) =>
    name === member && isFields(value) ? within(value, inside, change) : value,
  );
}

/** The API calls the id of the repository `repository`, without `_id`. */
function withRepository({ repository_id: repository = null, ...chart }: Fields): Fields {
  return { ...chart, repository };
}

/** The API expects either a name or selectors for a port, and null for the other. */
function portBody({ service_selectors, ...port }: Fields): Fields {
  return port["service_name"] === undefined
    ? { ...port, service_name: null, service_selectors: service_selectors ?? [] }
    : { ...port, service_selectors: null };
}
