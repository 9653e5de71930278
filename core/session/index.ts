export { type Approval, approve, type ApprovedPlan, type Hindrance, type Terms } from "./approve.ts";
export { comparePlans, type ComparedPlans } from "./compare.ts";
export { consentedTo } from "./consented-to.ts";
export { type Ending, execute, type ExecutionOptions } from "./execute.ts";
export { operate, proposeOperation } from "./operate.ts";
export { lastPass } from "./plan.ts";
export { propose, type Proposal, proposeSaved, withProblems } from "./propose.ts";
export { type Run, type RunSettings, startRun } from "./run.ts";
export { type Shortage, shortageOf } from "./shortage.ts";
