export type { AuditEvent } from "./event.ts";
export { deletionsSince, EventLog, eventsSince, isHarmless, settling } from "./log.ts";
export { reachOf } from "./reach.ts";
