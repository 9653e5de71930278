export { acceptDrift, type Acceptance } from "./accept.ts";
export { type TakenDifference, type Update, updateManifests } from "./update.ts";
