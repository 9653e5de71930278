export type { AuditEvent, EventsSince } from "./event.ts";
export { type PastEvent, lastChanges, makerOf, readHistory } from "./history.ts";
export {
  deletionsIn,
  deletionsSince,
  type EarlierEvents,
  EventLog,
  eventsIfReadable,
  eventsSince,
  isHarmless,
  type ReportedDeletion,
  settling,
} from "./log.ts";
export { hintOf, type Hint, isOfWrite, reachOf } from "./event-subject.ts";
export { newSignature } from "./signature.ts";
