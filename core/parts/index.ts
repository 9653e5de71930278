export { customDomains } from "./custom-domains.ts";
export { partFaults } from "./faults.ts";
export type { Part, PartChange, PartEntry, PartNeed, PartRequest } from "./part.ts";
export { ownPartFields, partFields, statedParts, withoutParts } from "./stated.ts";
export { secrets } from "./secrets.ts";
export { variables } from "./variables.ts";
