export { Reconciler } from "./cycle.ts";
export type { Log } from "./log.ts";
export { readRepositoryAddress, Repository, type RepositoryAddress } from "./git/index.ts";
export { serve } from "./service.ts";
export { CommitSource, type LoadedCommit } from "./source.ts";
