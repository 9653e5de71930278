export { isEmpty } from "./body.ts";
export { Breaker } from "./breaker.ts";
export { cloneResource, resumeClone } from "./clone.ts";
export { refuseUnlessCopy, withoutRemovals } from "./copy.ts";
export {
  type ApprovedLosses,
  defaultLimits,
  type Done,
  entryKey,
  limited,
  type Run,
  type OperationLimits,
} from "./run.ts";
export { createResource, type Creation } from "./create.ts";
export { LostInReplacementError, messageOf, OperationError } from "./errors.ts";
export { JointDeletions } from "./joint-deletions.ts";
export { isNew } from "./made.ts";
export { findByName, readByName, type ResourcePlace } from "./find.ts";
export { deleteAndWait, removeResource } from "./remove.ts";
export { recreate, replaceResource } from "./replace.ts";
export { writeParts } from "./parts.ts";
export type { SeenPart } from "./refuse-others.ts";
export { updateFrom, updateResource } from "./update.ts";
export { type Tries, type NextStep, write, type WritePolicy, type WriteWords } from "./write.ts";
export { pollDelay, until } from "./wait.ts";
