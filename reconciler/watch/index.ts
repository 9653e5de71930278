export {
  RateBudget as Allowance,
  type RateBudgetView as AllowanceView,
  defaultShares,
} from "./rate-budget.ts";
export { SharedRefreshes as SharedLooks } from "./shared-refreshes.ts";
export { Watch } from "./watch.ts";
export { TokenUsers } from "./token-users.ts";
