// oxlint-disable-next-line import/no-unassigned-import -- an old Node has to end here, before anything else is loaded
import "../core/files/refuse-old-node.ts";
export * from "./generated/index.ts";
export { Deployment, type DeploymentArgs } from "./dynamic/deployment.ts";
export type { Reference } from "./reference.ts";
