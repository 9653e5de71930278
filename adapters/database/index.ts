export type { BudgetShares } from "./account.ts";
export {
  connect,
  Connections,
  DatabaseError,
  ensureVersion,
  isRefusal,
  LateAnswerError,
  type PlainValue,
  unreachable,
} from "./connection.ts";
export { migrate } from "./migrations.ts";
export { DatabasePace, paceOf, unknownFactor } from "./pace.ts";
export {
  isLock,
  isSame,
  leadsTo,
  lockKey,
  openSession,
  pooled,
  type ProvedSession,
  sessionColumns,
  type SessionRow,
} from "./session.ts";
