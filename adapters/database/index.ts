export type { BudgetShares } from "./account.ts";
export { connect, connections, DatabaseError, ensureVersion, unreachable } from "./connection.ts";
export { migrate } from "./migrations.ts";
