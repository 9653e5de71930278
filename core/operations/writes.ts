// The functions that write. The session alone calls them, for what it has approved; the rules of imports say so.
export { cloneResource, type CloneOrder } from "./clone.ts";
export { createResource, type CreationAnswer } from "./create.ts";
export { CascadeDeletions } from "./cascade-deletions.ts";
export { deleteAndWait, removeResource } from "./remove.ts";
export { recreate, replaceResource } from "./replace.ts";
export { updateFrom, updateResource } from "./update.ts";
