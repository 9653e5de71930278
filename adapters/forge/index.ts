export type { ForgeSettings } from "./client.ts";
export { ForgeError } from "./errors.ts";
export type { CommitStatus, Forge, PullRequest } from "./forge.ts";
export { currentJob, forgeAt, forges, projectAt, publicApi } from "./forges.ts";
export { findMarked, keepComment } from "./one-comment.ts";
export { commitPage, placeOf } from "./place.ts";
export type { CiEvent, CiJob, ManifestPlace } from "./system.ts";
