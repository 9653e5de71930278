import { readOne } from "../live/index.ts";
import type { Fields } from "../json.ts";
import { type Done, finishing, type OperationContext, saving } from "./context.ts";
import { createResource } from "./create.ts";
import { LostInReplacementError, messageOf } from "./errors.ts";
import { deleteAndWait, refuseChanged, type Removal } from "./remove.ts";
import { takingIn, thereBy } from "./taking-in.ts";
import { refuseInterrupted } from "./wait.ts";

/** A resource to be deleted and made again. */
export interface Replacement extends Removal {
  name: string;
  /** What it is made with, in manifest form; references are `{id, name?}`. */
  fields: Fields;
}

const haveItBack = "apply the manifest that follows to have it back";

/**
 * Deletes a resource that still is what the plan saw, waits until it is gone, and makes it again. One that has
 * gone meanwhile is only made. Neither the signal nor the cap of the run ends it between the two.
 *
 * @throws LostInReplacementError when it has been deleted, or perhaps, and not made again
 */
export async function replaceResource(context: OperationContext, replacement: Replacement): Promise<Done> {
  return takingIn(context, replacement, () => replace(context, replacement), thereBy(replacement));
}

async function replace(context: OperationContext, replacement: Replacement): Promise<Done> {
  const { kind, id, parentId, fields } = replacement;
  const fresh = await readOne(context.client, kind, id, parentId);
  if (fresh) {
    await refuseChanged(context, replacement, fresh);
    refuseInterrupted(context.signal);
    let isGoing = false;
    try {
      const onGoing = () => {
        isGoing = true;
      };
      await deleteAndWait(finishing(context), replacement, onGoing, saving(context));
    } catch (error) {
      if (!isGoing) throw error;
      const message = `its deletion has been asked for, and it has not been made again: ${messageOf(error)}; when it is gone, ${haveItBack}`;
      throw new LostInReplacementError(message, fields, { cause: error });
    }
  }
  return recreate(context, replacement);
}

/** Makes a resource again that has been deleted; when that fails, the error carries what is left of it. */
export async function recreate(context: OperationContext, replacement: Replacement): Promise<Done> {
  try {
    return await createResource(saving(context), { ...replacement, formerId: replacement.id });
  } catch (error) {
    const message = `it has been deleted and could not be made again: ${messageOf(error)}; ${haveItBack}`;
    throw new LostInReplacementError(message, replacement.fields, { cause: error });
  }
}
