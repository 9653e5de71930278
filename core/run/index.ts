export { comparePlans, type ComparedPlans } from "./compare.ts";
export { enact, type Ending, type Terms } from "./enact.ts";
export { lastPass, makePlan } from "./plan.ts";
export { propose, proposeSaved, type Proposal } from "./propose.ts";
export { type Run, type RunSettings, startRun } from "./run.ts";
export { prevents, type Shortage, shortageOf } from "./shortage.ts";
