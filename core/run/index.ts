export { makePlan } from "./plan.ts";
export { type RunSettings, startRun } from "./run.ts";
export { type Shortage, shortageOf } from "./shortage.ts";
