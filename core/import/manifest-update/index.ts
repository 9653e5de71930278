export { acceptDrift, type Acceptance } from "./accept.ts";
export {
  type AcceptedDifference as TakenDifference,
  type Update,
  type UpdatedFile,
  updateManifests,
} from "./update.ts";
export { withField, withValueAt } from "./variable.ts";
