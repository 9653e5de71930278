export { missingSecrets } from "./missing-secrets.ts";
export { makePlan } from "./plan.ts";
export { type RunSettings, startRun } from "./run.ts";
export { shortageOf } from "./shortage.ts";
