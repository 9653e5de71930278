export { ensurePlanWritable, readAnyPlan, readPlan, writePlan } from "./file.ts";
export { staleProblems } from "./stale.ts";
export { unseenProblems } from "./unseen.ts";
