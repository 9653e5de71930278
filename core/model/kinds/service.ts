import { path } from "../../api/index.ts";
import { textIn } from "../../values/json.ts";
import { type Part, secrets, variables } from "../parts/index.ts";
import { skipped, stageOf } from "./deployment-stage.ts";
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
  needed,
  object,
} from "../schema/field.ts";
import type { KindDefinition } from "./kind.ts";
import { servicesIn } from "./organization-kind.ts";
import type { ResourceOutput, ServiceDeployment } from "./kind-members.ts";
import { autoscaling } from "./autoscaling.ts";
import { maximumPort, ports, storage } from "./fields.ts";

const port = wholeNumber("Port to probe.", { minimum: 1, maximum: maximumPort });

const probeType = object(
  "How to probe: one of `tcp`, `http`, `exec`, `grpc`.",
  {
    tcp: object("Succeeds when the port accepts a connection.", { port, host: text("Host to connect to.") }),
    http: object("Succeeds when a GET answers with success.", {
      path: text("Path to get.", { default: "/" }),
      scheme: text("`HTTP` or `HTTPS`.", { default: "HTTP" }),
      port,
    }),
    exec: object("Succeeds when the command exits with status 0.", {
      command: needed(list(text(), "The executable, then its arguments.", { minItems: 1 })),
    }),
    grpc: object("Succeeds when the gRPC health check says so.", {
      service: text("Service to ask for."),
      port,
    }),
  },
  { alternatives: [["tcp"], ["http"], ["exec"], ["grpc"]] },
);

const probe = (purpose: string) =>
  object(purpose, {
    type: probeType,
    initial_delay_seconds: wholeNumber("Seconds before the first probe.", { minimum: 0, default: 30 }),
    period_seconds: wholeNumber("Seconds between probes.", { minimum: 0, default: 10 }),
    timeout_seconds: wholeNumber("Seconds until a probe counts as failed.", { minimum: 0, default: 5 }),
    success_threshold: wholeNumber("Successes in a row that make it healthy.", { minimum: 0, default: 1 }),
    failure_threshold: wholeNumber("Failures in a row that make it unhealthy.", { minimum: 0, default: 9 }),
  });

const healthchecks = object(
  "Health checks.",
  {
    readiness_probe: probe("Checks whether the service can take traffic."),
    liveness_probe: probe("Checks whether the service has to be restarted."),
  },
  { default: {}, alwaysSent: true },
);

export const resourceFields = {
  cpu: oftenChanged(
    wholeNumber("CPU in millicores: 1000 is one CPU.", { minimum: 1, default: 500, unit: "millicores" }),
  ),
  memory: oftenChanged(wholeNumber("Memory in MB.", { minimum: 1, default: 512, unit: "MB" })),
};

export const groupFields = {
  annotations_groups: set(
    [],
    reference("annotationsGroup"),
    "Annotation groups of the organization, by name or id.",
  ),
  labels_groups: set([], reference("labelsGroup"), "Label groups of the organization, by name or id."),
};

/** @param type as in the icon that the API gives a service: `job` */
export const iconField = (type: string) => ({
  icon_uri: withoutDefault(
    text("Icon, as a URI.", {
      format: "uri",
      generated: `^app://[^/]+/(?:[a-z]+-)?${type}$`,
      alwaysAnswered: true,
    }),
  ),
});

/** The members of all services with containers. */
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

const instanceFields = {
  min_running_instances: oftenChanged(
    wholeNumber("Instances that always run.", { minimum: 0, default: 1, notAbove: "max_running_instances" }),
  ),
  max_running_instances: oftenChanged(
    wholeNumber("Instances that run at most; -1: no limit.", { minimum: -1, default: 1 }),
  ),
};

export const commandFields = {
  arguments: list(text(), "Arguments of the container's command.", { default: [], examples: [["all"]] }),
  // An empty entrypoint differs from none, which keeps that of the image.
  entrypoint: text("Entrypoint of the container.", { examples: ["/bin/run"], restIn: "arguments" }),
};

/** The fields of the services that keep running: applications and containers. */
export const runningFields = (type: string) => ({
  ...serviceFields(type),
  ...instanceFields,
  auto_preview,
  ports,
  storage,
  ...commandFields,
  autoscaling,
});

/** Members that the API reports for every service. */
export const serviceReports = {
  service_type: { type: "string", description: "Type of the service." },
} as const;

/** Members that the API reports for a service on a cluster. */
export const resourceReports = {
  ...serviceReports,
  maximum_cpu: { type: "integer", description: "Maximum CPU, in millicores.", limits: "cpu" },
  maximum_memory: { type: "integer", description: "Maximum memory, in MB.", limits: "memory" },
} as const;

export const gpuReports = {
  maximum_gpu: { type: "integer", description: "Maximum number of GPUs.", limits: "gpu" },
} as const;

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

/** The parts of all services that are configured by variables. @param type as in paths: `job` */
export function serviceParts(type: string): Part[] {
  const scope = type.toUpperCase();
  return [stageOf(scope), skipped, secrets(scope), variables(scope)];
}

/** @param type as in paths: `job` @param deployment the differences from a service that only starts and stops */
export function service(type: string, deployment: Partial<ServiceDeployment> = {}) {
  return {
    parent: environment,
    listing: {
      path: (environmentId) => path`/environment/${environmentId}/services`,
      fallbackPath: (environmentId) => path`/environment/${environmentId}/${type}`,
      serviceType: type.toUpperCase(),
      inOrganization: [{ path: servicesIn, parentIn: (listed) => textIn(listed, "environment_id") }],
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
