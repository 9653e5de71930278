export { awaitingDeployment } from "./awaiting.ts";
export { isComplete, type Outcome, type Progress, type Report, type Stop } from "./report.ts";
