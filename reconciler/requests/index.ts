export type { RequestTarget, RequestTargets } from "./verb.ts";
export { endOfPause } from "./pause-verbs.ts";
export { type PersonRequest, Requests, requestsForm, type Rollback } from "./requests.ts";
export { table } from "./table.ts";
export { formOf, wordsOf, type UserAction, UserActionError, userActionIn, verbNames } from "./user-action.ts";
export { approvalKeptFrom, UserActions } from "./user-actions.ts";
export { type AuditTrail, type PersonEntry, personMembers } from "./person-entry.ts";
