export {
  claimPlan,
  ensurePlanWritable,
  type PrintedPlan,
  readAnyPlan,
  readPlan,
  type SavedPlan,
  writePlan,
} from "./file.ts";
