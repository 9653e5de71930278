export type { ForgeSettings } from "./client.ts";
export { ForgeError } from "./errors.ts";
export type { CommitStatus, Forge, PullRequest } from "./forge.ts";
export { github } from "./github.ts";
export { gitlab } from "./gitlab.ts";
export { keepComment } from "./one-comment.ts";
