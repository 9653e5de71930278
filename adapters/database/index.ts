export { connect, DatabaseError, ensureVersion, unreachable } from "./connection.ts";
export { migrate } from "./migrations.ts";
