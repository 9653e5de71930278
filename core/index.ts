// oxlint-disable-next-line import/no-unassigned-import -- an old Node has to end here, before anything else is loaded
import "./files/refuse-old-node.ts";
export {
  type Address,
  describeAddress,
  formatAddress,
  formatReference,
  parseAddress,
  parseReference,
} from "./model/addresses/address.ts";
export {
  ApiError,
  type Budget,
  type Client,
  ClientSettingsError,
  type ClientSettings,
  type Clock,
  ConflictError,
  createClient,
  ForbiddenError,
  InterruptedError,
  InvalidRequestError,
  LastingConflictError,
  NotFoundError,
  type Query,
  QuotaError,
  RateLimitedError,
  type RequestLogger,
  ServerError,
  type Spent,
  UnauthorizedError,
  UnclearOutcomeError,
  UnexpectedAnswerError,
  UnreachableError,
  type Wait,
} from "./api/index.ts";
export type * from "./execution/execute/index.ts";
export { isComplete } from "./execution/execute/index.ts";
export { encodePlan, type PlanForm, type ReportForm } from "./outputs/forms/index.ts";
export {
  type Documents,
  documents,
  policies,
  propose,
  type ProposeOptions,
  readManifests,
  type ReadOptions,
} from "./library.ts";
export type * from "./manifests/manifest/document-types.ts";
export { dump, type Dump, type DumpedDocument, findLive, toDeclared } from "./import/live/index.ts";
export { type FieldChange, formatPath } from "./model/fields/compare.ts";
export { type Kind, findKind, kindOf, kinds } from "./model/kinds/index.ts";
export { LiveStore } from "./state/live/index.ts";
export { defaultLimits, type OperationLimits } from "./operations/index.ts";
export { findOrganization, type Organization } from "./state/organization.ts";
export type { PlanPolicy, PolicyInput } from "./rules/policies/index.ts";
export { parsePattern, type Pattern } from "./model/addresses/pattern.ts";
export { readPlan, type SavedPlan, writePlan } from "./outputs/forms/saved-plan/index.ts";
export type * from "./planning/plan/index.ts";
export {
  costOf,
  countActions,
  defaultCaps,
  defaultPolicy,
  hasChanges,
  lossesOf,
  wordsFor,
} from "./planning/plan/index.ts";
export {
  type Approval,
  approve,
  type ApprovedPlan,
  execute,
  type ExecutionOptions,
  type Hindrance,
  type Proposal,
  proposeSaved,
  type Run,
  type RunSettings,
  startRun,
  type Approver,
} from "./execution/session/index.ts";
export { InvalidInputError, type Position, type Problem } from "./problems/problem.ts";
export { type Help, helpText, remediesOf, type Remedy, type RemedySetting } from "./problems/remedy.ts";
