export { readRepositoryAddress, type RepositoryAddress } from "./address.ts";
export type { CommitNote } from "./commits.ts";
export { GitError } from "./errors.ts";
export { isObjectId, readRevision, type Revision, short } from "./revision.ts";
export { Repository } from "./repository.ts";
export { readFileAt } from "./file-at-commit.ts";
export { type CommittedFile, type CommittedLink, readFolder, refsAround } from "./folder.ts";
export { runGit } from "./run-git.ts";
export type { TreeEntry } from "./objects.ts";
