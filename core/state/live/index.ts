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
export { clearCacheFiles, cachedPages, type SharedFile } from "./cache-files/file.ts";
export { PartsCache, type PartsCacheSettings, type EndedRun } from "./cache-files/parts-cache.ts";
export { type CreationRecord, listLag } from "./creation-record.ts";
export { FreshLists } from "./fresh-lists.ts";
export { EventWatch } from "./event-watch.ts";
export type { LivePartOwner } from "./read-parts.ts";
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
export { Cache, type ReadCount } from "./cache.ts";
export { type LiveReader, LiveStore } from "./store.ts";
export type { LiveValues, LongLists, Needs } from "./live-values.ts";
export type { CacheUse } from "./parts.ts";
export { resourceIn, withResource, type WriteEffect } from "./write-effect.ts";
