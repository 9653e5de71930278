export * from "./generated/application.ts";
export * from "./generated/environment.ts";
export * from "./generated/job.ts";
export * from "./generated/project.ts";
export type { Reference } from "./reference.ts";
