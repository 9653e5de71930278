import { readOne } from "../state/live/index.ts";
import type { Fields } from "../values/json.ts";
import { type WriteResult, finishing, type Run, saving } from "./run.ts";
import { createResource } from "./create.ts";
import { LostInReplacementError, messageOf, OperationError } from "./errors.ts";
import { deleteAndWait, refuseChanged, type Removal } from "./remove.ts";
import { writeThrough, writtenAs } from "./write-through.ts";
import { refuseInterrupted } from "./wait.ts";

/** A resource to delete and create again. */
export interface Replacement extends Removal {
  name: string;
  /** The fields that it is created with, in manifest form; references are `{id, name?}`. */
  fields: Fields;
}

/**
 * Deletes a resource that is as the plan saw it, waits, and creates it again; neither signal nor cap stops it in
 * between. @throws LostInReplacementError
 */
export async function replaceResource(run: Run, replacement: Replacement): Promise<WriteResult> {
  return writeThrough(run, replacement, () => replace(run, replacement), writtenAs(replacement));
}

async function replace(run: Run, replacement: Replacement): Promise<WriteResult> {
  const { kind, id, parentId, fields } = replacement;
  const fresh = await readOne(run.client, kind, id, parentId);
  if (fresh) {
    await refuseChanged(run, replacement, fresh);
    refuseInterrupted(run.signal);
    let isGoing = false;
    try {
      const onGoing = () => {
        isGoing = true;
      };
      await deleteAndWait(finishing(run), replacement, onGoing, saving(run));
    } catch (error) {
      if (!isGoing) throw error;
      const message = `its deletion was requested, and the resource was not created again: ${messageOf(error)}`;
      throw new LostInReplacementError(message, fields, {
        cause: error,
        remedies: [{ recreate: "when_gone" }],
      });
    }
  }
  return recreate(run, replacement);
}

/** Creates a deleted resource again; if that fails, the error carries the configuration. */
export async function recreate(run: Run, replacement: Replacement): Promise<WriteResult> {
  try {
    return await createResource(saving(run), { ...replacement, formerId: replacement.id });
  } catch (error) {
    // It has been created again, and the error says why it is incomplete.
    if (error instanceof OperationError && error.code === "value_lost") throw error;
    const message = `the resource was deleted and could not be created again: ${messageOf(error)}`;
    throw new LostInReplacementError(message, replacement.fields, {
      cause: error,
      remedies: [{ recreate: "now" }],
    });
  }
}
