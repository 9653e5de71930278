export { Memory, type Remembered } from "./memory.ts";
