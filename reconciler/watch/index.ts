export { Allowance, type AllowanceView, defaultShares } from "./allowance.ts";
export { SharedLooks } from "./shared-looks.ts";
export { Watch } from "./watch.ts";
export { TokenUsers } from "./token-users.ts";
