export { leftLive } from "./left-live.ts";
export { Memory } from "./memory.ts";
export type { ManifestCommit } from "./memory-event.ts";
export type { SeenSecret, RememberedSecret } from "./secrets.ts";
export { stateForm } from "./state.ts";
