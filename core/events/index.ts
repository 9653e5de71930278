export type { AuditEvent } from "./event.ts";
export { type PastEvent, lastChanges, readHistory } from "./history.ts";
export { deletionsSince, EventLog, eventsSince, isHarmless, settling } from "./log.ts";
export { reachOf } from "./reach.ts";
