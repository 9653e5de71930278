export { type PlanPolicy, type PolicyAction, type PolicyInput, verdictsOn } from "./policy.ts";
export { seenByPolicies } from "./seen.ts";
