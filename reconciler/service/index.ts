export { Reconciler, type ServiceClients } from "./cycle.ts";
export { proposePermitted } from "./permitted-plan.ts";
export { serve } from "./service.ts";
export { singleRun } from "./single-run.ts";
