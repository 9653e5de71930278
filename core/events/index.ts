export type { AuditEvent } from "./event.ts";
export { EventLog, isHarmless, settling } from "./log.ts";
