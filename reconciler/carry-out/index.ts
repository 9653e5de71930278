export { Carrier, type CarryingOut, type PlanOutcome } from "./carry-out.ts";
export { LeftWork } from "./left-work.ts";
