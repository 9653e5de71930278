export { ensurePlanWritable, readAnyPlan, readPlan, writePlan } from "./file.ts";
export { staleProblems } from "./stale.ts";
