export { StepBudget } from "./budget.ts";
export {
  type PlanPolicy,
  policiesOfAll,
  type PolicyAction,
  type PolicyInput,
  type PolicySubject,
  verdictsOn,
} from "./policy.ts";
export { seenByPolicies } from "./seen.ts";
