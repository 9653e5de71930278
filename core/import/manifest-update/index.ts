export { acceptDrift, type Acceptance } from "./accept.ts";
export { type AcceptedDifference, type Update, type UpdatedFile, updateManifests } from "./update.ts";
export { withVariable } from "./variable.ts";
