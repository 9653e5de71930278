export type { AuditEvent } from "./event.ts";
export { type PastEvent, lastChanges, readHistory } from "./history.ts";
export {
  deletionsIn,
  deletionsSince,
  EventLog,
  eventsSince,
  isHarmless,
  type ReportedDeletion,
  settling,
} from "./log.ts";
export { reachOf, resourceOf } from "./reach.ts";
