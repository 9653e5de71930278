export type { RequestTarget, RequestTargets } from "./verb.ts";
export { endOfPause } from "./pauses.ts";
export { type PersonRequest, Requests, requestsForm, type Rollback } from "./requests.ts";
export { namesPlan, table } from "./table.ts";
export {
  formOf,
  type UserAction,
  UserActionError,
  userActionIn,
  userActionOfForm,
  verbNames,
} from "./user-action.ts";
export { UserActions } from "./user-actions.ts";
export { type AuditTrail, type PersonEntry, personMembers } from "./person-entry.ts";
