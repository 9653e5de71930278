export { cloneResource, type Cloning, resumeClone } from "./clone.ts";
export { defaultLimits, type Done, type OperationContext, type OperationLimits } from "./context.ts";
export { createResource, type Creation } from "./create.ts";
export { LostInReplacementError, messageOf, OperationError } from "./errors.ts";
export { findByName, lookByName, type Place } from "./find.ts";
export { Looks } from "./looks.ts";
export { deleteAndWait, removeResource, type Removal } from "./remove.ts";
export { recreate, replaceResource, type Replacement } from "./replace.ts";
export { type Changing, type Target, updateFrom, updateResource } from "./update.ts";
