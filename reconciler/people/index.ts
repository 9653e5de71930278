export { Audit } from "./audit.ts";
export { Desk, type KnownShares, type Wish, WishError } from "./desk.ts";
export { Requests, type Rollback } from "./requests.ts";
export { everywhere, type Person } from "./roles.ts";
export { wishIn } from "./wish-form.ts";
