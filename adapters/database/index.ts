export type { BudgetShares } from "./account.ts";
export { connect, connections, DatabaseError, ensureVersion, unreachable } from "./connection.ts";
export { migrate } from "./migrations.ts";
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
