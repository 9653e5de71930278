export { decodePlan, isPlanForm } from "./decode-plan.ts";
export { encodePlan } from "./encode-plan.ts";
export { published } from "./forms.ts";
export { type PlanForm, planForm, planVersion } from "./plan-form.ts";
export { encodeBudget, encodeReport, lostContent, type ReportForm, reportForm } from "./report.ts";
export { encodeProblem, type ProblemForm } from "./problem.ts";
