// oxlint-disable-next-line import/no-unassigned-import -- an old Node has to end here, before anything else is loaded
import "./refuse-old-node.ts";
export {
  type Address,
  describeAddress,
  formatAddress,
  formatReference,
  parseAddress,
  parseReference,
} from "./address.ts";
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
export type * from "./execute/index.ts";
export { isComplete } from "./execute/index.ts";
export { encodePlan, type PlanForm, type ReportForm } from "./forms/index.ts";
export {
  type Documents,
  documents,
  policies,
  propose,
  type ProposeOptions,
  readManifests,
  type ReadOptions,
} from "./library.ts";
export type * from "./manifest/document-types.ts";
export { dump, type Dump, type DumpedDocument, findLive, toStated } from "./import/live/index.ts";
export { type FieldChange, formatPath } from "./fields/compare.ts";
export { type Kind, findKind, kindOf, kinds } from "./kinds/index.ts";
export { LiveStore } from "./live/index.ts";
export { defaultLimits, type OperationLimits } from "./operations/index.ts";
export { findOrganization, type Organization } from "./organization.ts";
export type { PlanPolicy, PolicyInput } from "./policies/index.ts";
export { parsePattern, type Pattern } from "./pattern.ts";
export { readPlan, type SavedPlan, writePlan } from "./forms/saved-plan/index.ts";
export type * from "./plan/index.ts";
export {
  costOf,
  countActions,
  defaultCaps,
  defaultPolicy,
  hasChanges,
  lossesOf,
  wordsFor,
} from "./plan/index.ts";
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
  type Terms,
} from "./session/index.ts";
export { InvalidInputError, type Position, type Problem } from "./problem.ts";
export { type Help, helpText, remediesOf, type Remedy, type RemedySetting } from "./remedy.ts";
