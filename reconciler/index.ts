export { Board } from "./board.ts";
export { Reconciler, type ServiceClients } from "./cycle.ts";
export { Allowance, type BudgetShares, defaultShares } from "./looking/index.ts";
export { History } from "./history.ts";
export { FolderLock, type Holder, type SourceLock } from "./lock.ts";
export type { Log } from "./log.ts";
export { type Access, isLoopbackName, readPageToken } from "./page/access.ts";
export { Metrics } from "./page/metrics.ts";
export { proposePermitted } from "./permitted.ts";
export {
  deployPreview,
  type Existing,
  existingPreviews,
  isOurs,
  isOver,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  PreviewError,
  PreviewKeeper,
  previewName,
  removePreview,
} from "./previews/index.ts";
export { CommitStatuses } from "./commit-statuses.ts";
export { servePage } from "./page/server.ts";
export { doubtWords, glance } from "./glance.ts";
export { activityWords, previewWords, relative, stateWords } from "./page/words.ts";
export { HintBox, serveWebhook, type ServedWebhook } from "./webhook/index.ts";
export { SingleRun } from "./single-run.ts";
export { serve } from "./service.ts";
export type { EnvironmentStatus, PreviewStatus, ServiceStatus } from "./status.ts";
export { serviceStatusForm } from "./status-form.ts";
export { audiences } from "./audiences.ts";
export { type Destination, type NotificationFormat, Notifier } from "./notify/index.ts";
export { CommitSource, type LoadedCommit } from "./source.ts";
export { type Mode, modes, type OperatorRules, policyFileSchema, readPolicy } from "./policy/index.ts";
export { type NamedSuspension, readSuspensions, resume, rulesOfSuspensions, suspend } from "./suspensions.ts";
export { readEnvironmentPattern } from "./policy/schema.ts";
