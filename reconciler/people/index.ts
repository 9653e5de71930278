export { AccessFile, type CommitRules, type Limits, noRules } from "./access-file.ts";
export { type Access, PeopleGate, type SessionIdentity, readPageToken, sessionIdentityForm } from "./gate.ts";
export { type LoginOrigin, FailedLogins } from "./failed-logins.ts";
export { withIgnored } from "./ignored-fields.ts";
export { changesBeyond, commitBeyond, limitsOfBoth } from "./limits.ts";
export { isLoopbackName, isSafeUrl } from "./safe-url.ts";
export type { Role } from "./access-schema.ts";
export { everywhere, may, observer, type Person, within } from "./roles.ts";
export { type PendingSignIn, callbackPath, SignIn } from "./sign-in.ts";
