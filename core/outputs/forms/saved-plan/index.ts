export { claimPlan, ensurePlanWritable, readAnyPlan, readPlan, type SavedPlan, writePlan } from "./file.ts";
