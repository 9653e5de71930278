export { readRepositoryAddress, Repository, type RepositoryAddress } from "./git/index.ts";
export { CommitSource, type LoadedCommit } from "./source.ts";
