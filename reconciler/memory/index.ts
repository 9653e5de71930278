export { Memory, type ManifestCommit } from "./memory.ts";
export type { SeenSecret } from "./secrets.ts";
export type { AppliedCommit } from "./state.ts";
