export { type Contents, type UnknownService } from "./contents.ts";
export { Looks } from "./looks.ts";
export { readParts } from "./parts.ts";
export {
  absentWhenNotFound,
  isWhole,
  type LiveResource,
  parentIdIn,
  readOne,
  sameId,
  toLive,
} from "./resource.ts";
export { type DeploymentStatus, type EnvironmentStatuses, statusOf } from "./statuses.ts";
export { type Known, type LiveReader, LiveStore, type Needs, type Written } from "./store.ts";
