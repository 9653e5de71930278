export { type Approval, approve, type ApprovedPlan, type Hindrance, type Terms } from "./approve.ts";
export { comparePlans, type ComparedPlans } from "./compare.ts";
export { consentedTo } from "./consent-of-person.ts";
export {
  type RunResult as Ending,
  execute,
  executeAlone,
  type ExecutionOptions,
  type Freshly,
} from "./execute.ts";
export { operate, proposeOperation } from "./operate.ts";
export { lastPass } from "./plan.ts";
export { type ProgramProposal, type ProgramQuestion, proposeProgram, worldOf } from "./program.ts";
export { type ProgramState as ProgramWorld, withEmptyParts } from "./program-state.ts";
export { propose, type Proposal, proposeSaved, withProblems } from "./propose.ts";
export { type Run, type RunSettings, startRun } from "./run.ts";
export { type SpendingLimits as FixedSpending, remedyFor, type Shortage, shortageOf } from "./shortage.ts";
