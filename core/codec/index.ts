export { encodeBudget } from "./budget.ts";
export { decodePlan, isPlanForm } from "./decode-plan.ts";
export { encodePlan } from "./encode-plan.ts";
export { published } from "./forms.ts";
export { type PlanForm, planForm, planVersion } from "./plan-form.ts";
export { encodeReport, lostContent, type ReportForm, reportForm } from "./report.ts";
export { encodeProblem, type ProblemForm, problemForm } from "./problem.ts";
export { deploymentForm, encodeDeployment } from "./deployment.ts";
export { type ChosenStatuses, encodeLogs, encodeStatuses, logsForm, statusForm } from "./status.ts";
