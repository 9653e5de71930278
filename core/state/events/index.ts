export type { AuditEvent } from "./event.ts";
export { type PastEvent, lastChanges, makerOf, readHistory } from "./history.ts";
export {
  deletionsIn,
  deletionsSince,
  type EarlierLook,
  EventLog,
  eventsSince,
  isHarmless,
  type ReportedDeletion,
  settling,
} from "./log.ts";
export { hintOf, type Hint, isOfWrite, reachOf } from "./reach.ts";
export { newSignature } from "./signature.ts";
