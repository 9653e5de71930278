import { addCompletion, addEmulator, addSchema } from "./aids.ts";
import { addClone, addDump } from "./live.ts";
import { addApply, addDestroy, addPlan, addValidate } from "./manifests.ts";

/** Every command, in the order of the help. Each loads what it does when it runs. */
export const commands = [
  addValidate,
  addPlan,
  addApply,
  addDestroy,
  addClone,
  addDump,
  addSchema,
  addEmulator,
  addCompletion,
];
