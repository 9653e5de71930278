export { Board } from "./board.ts";
export { Reconciler } from "./cycle.ts";
export { History } from "./history.ts";
export type { Log } from "./log.ts";
export { readFolder, readRepositoryAddress, Repository, type RepositoryAddress } from "./git/index.ts";
export { type Access, isLoopbackName, readPageToken } from "./page/access.ts";
export { Metrics } from "./page/metrics.ts";
export { servePage } from "./page/server.ts";
export { activityWords, relative, stateWords } from "./page/words.ts";
export { serve } from "./service.ts";
export type { EnvironmentStatus, ServiceStatus } from "./status.ts";
export { CommitSource, type LoadedCommit } from "./source.ts";
export {
  environmentNames,
  environmentOf,
  liveRules,
  type Mode,
  modeOf,
  modes,
  type OperatorRules,
  policyFileSchema,
  readPolicy,
  reasonToWait,
  withoutPruning,
} from "./policy/index.ts";
export { type NamedSuspension, readSuspensions, resume, rulesOfSuspensions, suspend } from "./suspensions.ts";
export { readEnvironmentPattern } from "./policy/schema.ts";
