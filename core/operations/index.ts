export { isEmpty } from "./body.ts";
export { Breaker } from "./breaker.ts";
export { awaitClone } from "./clone.ts";
export { refuseUnlessCopy, withoutRemovals } from "./copy.ts";
export {
  type ApprovedLosses,
  defaultLimits,
  type WriteResult,
  type FollowedService,
  entryKey,
  limited,
  type Run,
  type OperationLimits,
} from "./run.ts";
export { LostInReplacementError, messageOf, OperationError, outdated } from "./errors.ts";
export { isNew } from "./existing-resource.ts";
export { findByName, readByName, type ResourcePlace } from "./find.ts";
export type { PlannedPart } from "./refuse-others.ts";
export { type Tries, type NextStep, write, type WritePolicy, type WriteWords } from "./write.ts";
export { pollDelay, refuseInterrupted, until } from "./wait.ts";
