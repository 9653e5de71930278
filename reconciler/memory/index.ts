export { Memory, type Remembered } from "./memory.ts";
export type { AppliedCommit } from "./state.ts";
