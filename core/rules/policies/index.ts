export { StepBudget } from "./budget.ts";
export {
  type PlanPolicy,
  policiesOfAll,
  type PolicyAction,
  type PolicyInput,
  type PolicySubject,
  type PolicyVerdict,
  verdictsOn,
} from "./policy.ts";
export { seenByPolicies } from "./policy-fields.ts";
