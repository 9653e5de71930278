export * from "./generated/index.ts";
export type { Reference } from "./reference.ts";
