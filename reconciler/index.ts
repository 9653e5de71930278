export { Reconciler } from "./cycle.ts";
export type { Log } from "./log.ts";
export { readRepositoryAddress, Repository, type RepositoryAddress } from "./git/index.ts";
export { serve } from "./service.ts";
export { CommitSource, type LoadedCommit } from "./source.ts";
export {
  environmentNames,
  environmentOf,
  type Mode,
  modeOf,
  modes,
  type OperatorRules,
  policyFileSchema,
  readPolicy,
  reasonToWait,
  type Rules,
  rulesFor,
  withoutPruning,
} from "./policy/index.ts";
