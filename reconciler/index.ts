export type {
  Lease,
  Leases,
  RequestRelay,
  SourceFiles,
  SourceHealthExchange,
  StoredSessions,
} from "./database/index.ts";
export { ownerByHand, ownerOf } from "./owner.ts";
export { readEnvironmentScope } from "../core/model/addresses/scope.ts";
export { FolderLock, type Holder } from "./lock.ts";
export { Audit, failureOf, Journal, journalForm, type NewEntry, stateWords } from "./journal/index.ts";
export type { Log } from "./log.ts";
export {
  CommitStatuses,
  type Destination,
  DatabaseOutage,
  type NotificationRoute,
  Notifier,
  readRoutes,
  type Repeats,
} from "./notify/index.ts";
export {
  type Access,
  AccessFile,
  type Bounds,
  commitBeyond,
  type Limits,
  limitsOfBoth,
  PeopleGate,
  isLoopbackName,
  isSafeUrl,
  observer,
  readPageToken,
  SignIn,
  unbounded,
} from "./people/index.ts";
export { formOf, Requests, type UserAction, UserActions, verbNames } from "./requests/index.ts";
export {
  type CommitPolicy,
  type Mode,
  modes,
  type OperatorRules,
  policyFileSchema,
  previewName,
  readPolicy,
  rulesOfPauses,
  suspendedAt,
} from "./policy/index.ts";
export {
  deployPreview,
  type ExistingEnvironment,
  existingPreviews,
  endIn,
  isOver,
  linksOfPreview,
  makePreview,
  type PreviewContext,
  PreviewError,
  type PreviewClaim,
  PreviewKeeper,
  PreviewRecord,
  ownershipOf,
  removePreview,
} from "./previews/index.ts";
export { proposePermitted, Reconciler, serve, type ServiceClients, SingleRun } from "./service/index.ts";
export type { Identity } from "./identity.ts";
export {
  activityWords,
  answerControl,
  Board,
  KnownCommits,
  controlAnswerIn,
  controlMessage,
  type ControlHandlers,
  type ControlAnswer,
  controlledSource,
  clockText,
  doubtWords,
  FleetBoard,
  fleetGlance,
  fleetMetrics,
  type FleetStatus,
  fleetStatusForm,
  type EnvironmentStatus,
  type EnvironmentSummary,
  findSocket,
  isEnvironment,
  glance,
  quotaText,
  relativeText,
  uncheckedIn,
  type PagePeople,
  passedControl,
  type PassedAnswer,
  type PassedRequest,
  type PreviewStatus,
  previewWords,
  refused,
  relative,
  serveFleetPage,
  type ServedSocket,
  type ServedPage,
  servePage,
  serveSocket,
  type ServiceStatus,
  serviceStatusForm,
  type Deliveries,
  SourceMetrics,
  sourceWords,
  type WatchedSource,
} from "./show/index.ts";
export {
  CommitSource,
  type GivenSettings,
  type LoadedCommit,
  rulesBeforeCommit,
  type SourceClaim,
} from "./view/index.ts";
export {
  Deleters,
  type FollowedStore,
  type StoredDeleters,
  Fleet,
  foldersAmong,
  globOf,
  placeOf,
  previewsOf,
  type Source,
  SourceClaims,
  type SourceFile,
  SourceList,
  type SourceMemory,
  type SourcePlaces,
  type SourceSet,
  type StoppedSource,
  type StoredClaims,
} from "./sources/index.ts";
export { RateBudget, defaultShares, SharedRefreshes, TokenUsers } from "./watch/index.ts";
export { HintBox, type ServedWebhook, serveWebhook, type WebhookReceiver } from "./webhook/index.ts";
export { revertedText, rollbackText } from "./decide/index.ts";
export { leftLive, Memory } from "./memory/index.ts";
