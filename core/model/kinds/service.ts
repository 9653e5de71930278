import { path } from "../../api/index.ts";
import { environment } from "./environment.ts";
import {
  choice,
  flag,
  list,
  oftenChanged,
  reference,
  set,
  text,
  wholeNumber,
  withoutDefault,
} from "../schema/field.ts";
import { healthchecks } from "./health-checks.ts";
import type { KindDefinition } from "./kind.ts";
import type { ResourceOutput, ServiceDeployment } from "./kind-members.ts";

/** CPU and memory, with the defaults of services with containers. */
export const resourceFields = {
  cpu: oftenChanged(
    wholeNumber("CPU in millicores: 1000 is one CPU.", {
      minimum: 1,
      default: 500,
      unit: "millicores",
    }),
  ),
  memory: oftenChanged(wholeNumber("Memory in MB.", { minimum: 1, default: 512, unit: "MB" })),
};

/** Groups of the organization whose annotations and labels a service gets. */
export const groupFields = {
  annotations_groups: set(
    [],
    reference("annotationsGroup"),
    "Annotation groups of the organization, by name or id.",
  ),
  labels_groups: set([], reference("labelsGroup"), "Label groups of the organization, by name or id."),
};

/** The icon of a service. `type` is that of the icon that the API gives it: `job`. */
export const iconField = (type: string) => ({
  icon_uri: withoutDefault(
    text("Icon, as a URI.", {
      format: "uri",
      generated: `^app://[^/]+/(?:[a-z]+-)?${type}$`,
      alwaysAnswered: true,
    }),
  ),
});

/** The members that every service with containers has: resources, health checks, groups and the rest. */
export const serviceFields = (type: string) => ({
  ...resourceFields,
  gpu: wholeNumber("Number of GPUs.", { minimum: 0, default: 0 }),
  ephemeral_storage_in_gib: withoutDefault(
    wholeNumber("Ephemeral storage in GiB; the platform's default when left out.", { minimum: 0 }),
  ),
  cpu_architecture: choice(["AMD64", "ARM64"], "CPU architecture; the cluster's default when left out."),
  healthchecks,
  auto_deploy: withoutDefault(
    flag("Whether a new commit or image tag deploys it automatically.", {
      platformSets: [{ is: true, what: "sets true" }],
    }),
  ),
  ...groupFields,
  ...iconField(type),
});

export const auto_preview = withoutDefault(
  flag("Whether a preview environment is cloned automatically; the environment's value when left out.", {
    platformSets: [{ is: false }],
  }),
);

/** How many instances of a service run. */
export const instanceFields = {
  min_running_instances: oftenChanged(
    wholeNumber("Instances that always run.", {
      minimum: 0,
      default: 1,
      notAbove: "max_running_instances",
    }),
  ),
  max_running_instances: oftenChanged(
    wholeNumber("Instances that run at most; -1: no limit.", {
      minimum: -1,
      default: 1,
    }),
  ),
};

/** The command of a container: entrypoint and arguments. */
export const commandFields = {
  arguments: list(text(), "Arguments of the container's command.", { default: [], examples: [["all"]] }),
  // An empty one is another setting than none: the image keeps its own where none is set.
  entrypoint: text("Entrypoint of the container.", { examples: ["/bin/run"], restIn: "arguments" }),
};

/** Members that the API reports for every service. */
export const serviceReports = {
  service_type: { type: "string", description: "Type of the service." },
} as const;

/** Members that it reports for a service that runs on a cluster. */
export const resourceReports = {
  ...serviceReports,
  maximum_cpu: { type: "integer", description: "Maximum CPU, in millicores." },
  maximum_memory: { type: "integer", description: "Maximum memory, in MB." },
} as const;

export const gpuReports = {
  maximum_gpu: { type: "integer", description: "Maximum number of GPUs." },
} as const;

/** The hosts at which a service can be reached. */
export const hostOutputs = {
  host_internal: {
    variable: "HOST_INTERNAL",
    description: "Host at which services of the cluster reach it.",
  },
  host_external: {
    variable: "HOST_EXTERNAL",
    description: "Host at which everyone reaches it, if it has a public port.",
    follows: "ports",
  },
} as const satisfies Record<string, ResourceOutput>;

export const logPath = (type: string) => (id: string) => path`/${type}/${id}/log`;

/**
 * Where a service is listed, made, read, cloned and deployed.
 *
 * @param type as in paths: `job`
 * @param deployment in what its deployment differs from that of a service that is only started and stopped
 */
export function service(type: string, deployment: Partial<ServiceDeployment> = {}) {
  return {
    parent: environment,
    listing: {
      path: (environmentId) => path`/environment/${environmentId}/services`,
      fallbackPath: (environmentId) => path`/environment/${environmentId}/${type}`,
      serviceType: type.toUpperCase(),
    },
    requests: {
      create: (environmentId) => path`/environment/${environmentId}/${type}`,
      one: (id) => path`/${type}/${id}`,
    },
    clone: {
      path: (sourceId) => path`/${type}/${sourceId}/clone`,
      body: (name, environmentId) => ({ name, environment_id: environmentId }),
      carries: [],
    },
    deployment: {
      list: `${type}s`,
      ids: `${type}_ids`,
      idMember: "id",
      restarts: false,
      version: () => undefined,
      ...deployment,
    },
  } satisfies Partial<KindDefinition>;
}
