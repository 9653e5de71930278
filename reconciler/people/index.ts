export { AccessFile, type Limits } from "./access-file.ts";
export { Audit, type Deed } from "./audit.ts";
export { Desk, type KnownShares, type Wish, WishError } from "./desk.ts";
export { type Access, PeopleGate, type SessionIdentity, isLoopbackName, readPageToken } from "./gate.ts";
export { changesBeyond, documentsBeyond } from "./limits.ts";
export { Requests, type Rollback } from "./requests.ts";
export { everywhere, may, type Person } from "./roles.ts";
export { type BegunSignIn, callbackPath, SignIn } from "./sign-in.ts";
export { wishIn } from "./wish-form.ts";
