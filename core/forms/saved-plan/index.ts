export { ensurePlanWritable, markApplied, readAnyPlan, readPlan, type SavedPlan, writePlan } from "./file.ts";
