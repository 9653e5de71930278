export { encodeBudget } from "./budget.ts";
export {
  encodeEntries,
  encodeClusterStatus,
  encodeList,
  encodeResource,
  entriesForm,
  factsForm,
  listForm,
  resourceForm,
} from "./inspect.ts";
export { encodeNote, encodePlan, encodeUnread } from "./encode-plan.ts";
export { published } from "./forms.ts";
export { type PlanForm, planForm, unreadForm } from "./plan-form.ts";
export { encodeReport, lostContent, type ReportForm, reportForm } from "./report.ts";
export { encodeProblem } from "./problem.ts";
export { type ProblemForm, problemForm } from "./problem-form.ts";
export { outputForms, outputOf } from "./outputs.ts";
export { deploymentForm, encodeDeployment } from "./deployment.ts";
export { encodeService, encodeDeploymentStatus, serviceMembers } from "./deployment-status.ts";
export { encodeLogs, encodeStatuses, encodeUrls, logsForm, statusForm, urlsOfForm } from "./status.ts";
export { digestOfActions, staleProblem } from "./digest.ts";
