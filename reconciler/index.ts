export type { Lease, Leases, Passing, SourceFiles, Standings } from "./database/index.ts";
export { FolderLock, type Holder, type SourceLock } from "./lock.ts";
export type { Log } from "./log.ts";
export {
  CommitStatuses,
  type Destination,
  type NotificationRoute,
  Notifier,
  readRoutes,
  type Repeats,
} from "./notify/index.ts";
export {
  type Access,
  AccessFile,
  Audit,
  type Bounds,
  commitBeyond,
  Desk,
  type Limits,
  limitsOfBoth,
  PeopleGate,
  isLoopbackName,
  readPageToken,
  Requests,
  SignIn,
  unbounded,
  type Wish,
} from "./people/index.ts";
export {
  type Mode,
  modes,
  type NamedSuspension,
  type OperatorRules,
  policyFileSchema,
  previewName,
  readEnvironmentPattern,
  readPolicy,
  readSuspensions,
  resume,
  rulesOfSuspensions,
  suspend,
} from "./policy/index.ts";
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
  PreviewRecord,
  removePreview,
} from "./previews/index.ts";
export { proposePermitted, Reconciler, serve, type ServiceClients, SingleRun } from "./service/index.ts";
export {
  activityWords,
  audiences,
  Board,
  doubtWords,
  FleetBoard,
  FleetMetrics,
  fleetGlance,
  type FleetStatus,
  fleetStatusForm,
  type EnvironmentStatus,
  findSocket,
  glance,
  History,
  Metrics,
  type PagePeople,
  type PassedAnswer,
  type PassedRequest,
  type PreviewStatus,
  previewWords,
  reasonOf,
  relative,
  serveFleetPage,
  type ServedSocket,
  type ServedPage,
  servePage,
  serveSocket,
  type ServiceStatus,
  serviceStatusForm,
  sourceWords,
  stateWords,
} from "./show/index.ts";
export { CommitSource, type GivenSettings, type LoadedCommit, rulesBeforeCommit } from "./view/index.ts";
export {
  Fleet,
  foldersAmong,
  globOf,
  type Place,
  type Source,
  type SourceFile,
  SourceList,
  type SourceSet,
} from "./sources/index.ts";
export { Allowance, type BudgetShares, defaultShares, SharedLooks, TokenSharers } from "./watch/index.ts";
export { HintBox, type ServedWebhook, serveWebhook, type WebhookReceiver } from "./webhook/index.ts";
export { onFailure } from "./decide/index.ts";
