export { deletionsSince, type ReportedDeletion } from "./deletions.ts";
export type { Subject } from "./event-hints.ts";
export { RateBudget, type RateBudgetView, defaultShares } from "./rate-budget.ts";
export { SharedRefreshes } from "./shared-refreshes.ts";
export { Watch } from "./watch.ts";
export { TokenUsers } from "./token-users.ts";
