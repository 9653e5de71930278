export { Board } from "./show/board.ts";
export { Reconciler, type ServiceClients } from "./service/cycle.ts";
export { Allowance, type BudgetShares, defaultShares } from "./watch/index.ts";
export { History } from "./show/history.ts";
export { FolderLock, type Holder, type SourceLock } from "./lock.ts";
export type { Log } from "./log.ts";
export { type Access, isLoopbackName, readPageToken } from "./show/page/access.ts";
export { Metrics } from "./show/page/metrics.ts";
export { proposePermitted } from "./view/permitted.ts";
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
export { CommitStatuses } from "./notify/commit-statuses.ts";
export { servePage } from "./show/page/server.ts";
export { doubtWords, glance } from "./show/glance.ts";
export { activityWords, previewWords, relative, stateWords } from "./show/page/words.ts";
export { HintBox, serveWebhook, type ServedWebhook } from "./webhook/index.ts";
export { SingleRun } from "./service/single-run.ts";
export { audiences, serve } from "./service/service.ts";
export type { EnvironmentStatus, PreviewStatus, ServiceStatus } from "./show/status.ts";
export { serviceStatusForm } from "./show/status-form.ts";
export { type Destination, type NotificationFormat, Notifier } from "./notify/index.ts";
export { CommitSource, type GivenSettings, type LoadedCommit } from "./view/commits.ts";
export { type Mode, modes, type OperatorRules, policyFileSchema, readPolicy } from "./policy/index.ts";
export {
  type NamedSuspension,
  readSuspensions,
  resume,
  rulesOfSuspensions,
  suspend,
} from "./policy/suspensions.ts";
export { readEnvironmentPattern } from "./policy/schema.ts";
