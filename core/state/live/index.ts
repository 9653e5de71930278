export {
  allNamed,
  type Contents,
  isOnDemand,
  joined,
  kindsOnDemand,
  listKey,
  type ListPlace,
  type UnknownService,
  usualKinds,
} from "./contents.ts";
export { clearKept, keptPages, type SharedFile } from "./kept/file.ts";
export { KeptParts, type KeptSettings, type RememberedRun } from "./kept/kept-parts.ts";
export { type Doubt, EventHints, type Subject } from "./event-hints.ts";
export { FreshLists } from "./fresh-lists.ts";
export { Freshness } from "./freshness.ts";
export type { LivePartOwner } from "./parts.ts";
export {
  absentWhenNotFound,
  isWhole,
  type LiveResource,
  nameIn,
  parentIdIn,
  readOne,
  sameId,
  toLive,
} from "./resource.ts";
export {
  changesToDeploy,
  type DeploymentStatus,
  isFailedDeployment,
  isOutOfDate,
  isIdle,
  meaningOf,
  type DeployedStatus,
  type StateMeaning,
  type Statuses,
  statusOf,
  whyNotRunning,
} from "./statuses.ts";
export { servicesOf, versionOf } from "./services.ts";
export type { ReadCount } from "./tally.ts";
export { type LiveReader, LiveStore } from "./store.ts";
export type { Known, LongLists, Needs } from "./known.ts";
export type { Remembered } from "./remembered.ts";
export { resourceIn, withResource, type Written } from "./written.ts";
