export { AccessFile, type Bounds, type Limits, unbounded } from "./access-file.ts";
export { Audit, type Deed } from "./audit.ts";
export { UserActions } from "./user-actions.ts";
export { type Access, PeopleGate, type SessionIdentity, isLoopbackName, readPageToken } from "./gate.ts";
export { type EntryOrigin, FailedEntries } from "./entries.ts";
export { withIgnored } from "./ignored.ts";
export { changesBeyond, commitBeyond, limitsOfBoth } from "./limits.ts";
export { endOfPause } from "./pausing.ts";
export { Requests, type Rollback } from "./requests.ts";
export { everywhere, may, observer, type Person, within } from "./roles.ts";
export { type BegunSignIn, callbackPath, SignIn } from "./sign-in.ts";
export { takeOver } from "./take-over.ts";
export {
  type KnownShares,
  type UserAction,
  UserActionError,
  userActionForm,
  userActionIn,
  type UserActionType,
} from "./user-action.ts";
export { reasonWithoutEffect } from "./effect.ts";
