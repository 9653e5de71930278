export type { AuditEvent } from "./event.ts";
export { eventsOf, isMaking, lastChanges, makingIn, readHistory } from "./history.ts";
export { EventLog, eventsSince, isHarmless, eventsOfPage, settling } from "./log.ts";
export { hintOf, type Hint, isOfWrite, reachOf } from "./event-subject.ts";
export { newSignature } from "./signature.ts";
