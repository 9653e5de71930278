export * from "./generated/index.ts";
export { Deployment, type DeploymentArgs } from "./dynamic/deployment.ts";
export type { Reference } from "./reference.ts";
