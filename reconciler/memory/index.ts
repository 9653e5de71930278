export { Memory, type ManifestCommit } from "./memory.ts";
export type { AppliedCommit } from "./state.ts";
