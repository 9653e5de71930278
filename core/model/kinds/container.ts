import { advancedSettings, customDomains, links, network } from "../parts/index.ts";
import { object } from "../schema/field.ts";
import { description, imageFields } from "./fields.ts";
import { defineKind } from "./kind.ts";
import {
  gpuReports,
  hostOutputs,
  logPath,
  resourceReports,
  runningFields,
  service,
  serviceParts,
} from "./service.ts";

/**
 * ```yaml
 * kind: Container
 * environment: shop/staging
 * name: web
 * registry: docker-hub
 * image_name: acme/web
 * tag: 1.4.2
 * cpu: 500
 * memory: 512
 * min_running_instances: 2
 * ports: [{ internal_port: 8080, publicly_accessible: true }]
 * variables: { LOG_LEVEL: info }
 * ```
 */
export const container = defineKind({
  name: "Container",
  description: "A container runs an image of a registry and is kept running.",
  ...service("container", {
    restarts: true,
    logPath: logPath("container"),
    version: () => "image_tag",
    versionField: ["tag"],
    links: links("container"),
  }),
  fields: object({ description, ...imageFields, ...runningFields("container") }),
  outputs: hostOutputs,
  parts: [
    ...serviceParts("container"),
    customDomains("container"),
    advancedSettings("container"),
    network("container"),
  ],
  reports: { ...resourceReports, ...gpuReports },
});
