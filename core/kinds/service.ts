import Type from "typebox";
import { path } from "../api/path.ts";
import { environment } from "./environment.ts";
import { healthchecks } from "./health-checks.ts";
import type { KindDefinition } from "./kind.ts";

/** The members that every service with containers has: resources, health checks, groups and the rest. */
export const serviceFields = (type: string) => ({
  cpu: Type.Optional(
    Type.Integer({ description: "CPU in millicores: 1000 is one CPU.", minimum: 1, default: 500 }),
  ),
  memory: Type.Optional(Type.Integer({ description: "Memory in MB.", minimum: 1, default: 512 })),
  gpu: Type.Optional(Type.Integer({ description: "Number of GPUs.", minimum: 0, default: 0 })),
  ephemeral_storage_in_gib: Type.Optional(
    Type.Integer({
      description: "Ephemeral storage in GiB; the platform's default when left out.",
      minimum: 0,
      resettable: false,
    }),
  ),
  cpu_architecture: Type.Optional(
    Type.Enum(["AMD64", "ARM64"], {
      type: "string",
      description: "CPU architecture; the cluster's default when left out.",
    }),
  ),
  healthchecks,
  auto_deploy: Type.Optional(
    Type.Boolean({
      description: "Whether it is deployed by itself on a new commit or image tag.",
      resettable: false,
    }),
  ),
  annotations_groups: Type.Optional(
    Type.Array(Type.String({ reference: "annotationsGroup", minLength: 1 }), {
      description: "Annotation groups of the organization, by name or id.",
      default: [],
      set: [],
    }),
  ),
  labels_groups: Type.Optional(
    Type.Array(Type.String({ reference: "labelsGroup", minLength: 1 }), {
      description: "Label groups of the organization, by name or id.",
      default: [],
      set: [],
    }),
  ),
  icon_uri: Type.Optional(
    Type.String({
      description: "Icon, as a URI.",
      format: "uri",
      resettable: false,
      generated: `^app://[^/]+/(?:[a-z]+-)?${type}$`,
    }),
  ),
});

/** What a container is started with. */
export const commandFields = {
  arguments: Type.Optional(
    Type.Array(Type.String(), { description: "Arguments of the container's command.", default: [] }),
  ),
  entrypoint: Type.Optional(Type.String({ description: "Entrypoint of the container.", minLength: 1 })),
};

/** What the API reports of every service. */
export const serviceReports = {
  service_type: { type: "string", description: "Type of the service." },
  maximum_cpu: { type: "integer", description: "Most CPU that it can be given, in millicores." },
  maximum_memory: { type: "integer", description: "Most memory that it can be given, in MB." },
} as const;

/** Where a service is listed, made, read and cloned. `type` is as in paths: `job`. */
export function service(type: string) {
  return {
    parent: environment,
    listing: {
      path: (environmentId) => path`/environment/${environmentId}/services`,
      fallbackPath: (environmentId) => path`/environment/${environmentId}/${type}`,
      serviceType: type.toUpperCase(),
    },
    createPath: (environmentId) => path`/environment/${environmentId}/${type}`,
    path: (id) => path`/${type}/${id}`,
    clone: {
      path: (sourceId) => path`/${type}/${sourceId}/clone`,
      body: (name, environmentId) => ({ name, environment_id: environmentId }),
      carries: [],
    },
    finishBody: (fields) => ({ ...fields, healthchecks: fields["healthchecks"] ?? {} }),
  } satisfies Partial<KindDefinition>;
}
