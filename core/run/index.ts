export { makePlan } from "./plan.ts";
export { type RunSettings, startRun } from "./run.ts";
export { shortageOf } from "./shortage.ts";
