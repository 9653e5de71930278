export { awaitingDeployment } from "./pending-deployments.ts";
export {
  isComplete,
  isCompleteSoFar,
  type Outcome,
  type Progress,
  type Report,
  type Stop,
} from "./report.ts";
