export {
  type AppliedDocuments,
  differs,
  type DocumentDigest,
  type Digests,
  type AppliedResource,
  type OwnResources,
  ownResourceForm,
  inventoryOf,
  isOfCommit,
  isWhole,
  ownResource,
  undeployed,
  withCauses,
} from "./causes.ts";
export { type Attribution, type Change, changeForm, losingIn, planText, revertedText } from "./changes.ts";
export { type CycleEffects, conclude } from "./conclude.ts";
export { type Decision, decide, type FinalDecision } from "./decide.ts";
export {
  type Deletion,
  deletionForm,
  deletionLimits,
  recentDeletions,
  type ReportedEvent,
  withStarted,
  withDone,
  withReported,
} from "./deletions.ts";
export { type Undone, undoneForm, undoneTo, withUndone } from "./drift-loops.ts";
export { failuresNow, isRetryDue, retriedIn, withRetries } from "./retries.ts";
export { healthText, isIll, type ServiceHealth } from "./health.ts";
export { approvalEffect, basisOfEffects, viewsWithApproval } from "./approval-effect.ts";
export { withPromotions } from "./promotion.ts";
export { clockTolerance, onFailure, rollbackText } from "./rollback.ts";
export { isPassing, type EnvironmentState } from "./environment-state.ts";
export { type SyncState, syncStates } from "../sync-states.ts";
export { distinct } from "./verdict.ts";
export { verdictRules } from "./verdict-rules.ts";
export {
  rolloutForm,
  everything,
  holderOf,
  type PlanTargets,
  scopeOf,
  type Failures,
  type Rollout,
  type EnvironmentCommit,
  type EnvironmentView,
  type View,
} from "./view.ts";
