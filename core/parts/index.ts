export { customDomains } from "./custom-domains.ts";
export type { Part, PartEntry } from "./part.ts";
export { variables } from "./variables.ts";
