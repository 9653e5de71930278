export { leftLive } from "./left-live.ts";
export { type ManifestCommit, Memory } from "./memory.ts";
export type { SeenSecret, SecretRecord } from "./secrets.ts";
export { stateForm } from "./state.ts";
