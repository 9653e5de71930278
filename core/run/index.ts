export { makePlan } from "./plan.ts";
export { type RunSettings, startRun } from "./run.ts";
