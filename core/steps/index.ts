export { cloneResource, resumeClone } from "./clone.ts";
export { defaultLimits, type Done, type OperationContext, type OperationLimits } from "./context.ts";
export { createResource, type Creation } from "./create.ts";
export { LostInReplacementError, messageOf, OperationError } from "./errors.ts";
export { findByName, lookByName } from "./find.ts";
export { deleteAndWait, removeResource } from "./remove.ts";
export { recreate, replaceResource } from "./replace.ts";
export { updateFrom, updateResource } from "./update.ts";
export { type Tries, type Verdict, write, type WritePolicy, type WriteWords } from "./write.ts";
