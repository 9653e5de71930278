import { readOne } from "../live.ts";
import type { Fields } from "../json.ts";
import type { Done, OperationContext } from "./context.ts";
import { createResource } from "./create.ts";
import { LostInReplacementError } from "./errors.ts";
import { deleteAndWait, refuseChanged, type Removal } from "./remove.ts";

/** A resource to be deleted and made again. */
export interface Replacement extends Removal {
  name: string;
  /** What it is made with, in manifest form; references are `{id, name?}`. */
  fields: Fields;
}

/**
 * Deletes a resource that still is what the plan saw, waits until it is gone, and makes it again. One that has
 * gone meanwhile is only made.
 */
export async function replaceResource(context: OperationContext, replacement: Replacement): Promise<Done> {
  const { kind, id, parentId } = replacement;
  const fresh = await readOne(context.client, kind, id, parentId);
  if (fresh) {
    await refuseChanged(context, replacement, fresh);
    await deleteAndWait(context, replacement);
  }
  return recreate(context, replacement);
}

/** Makes a resource again that has been deleted; when that fails, the error carries what is left of it. */
export async function recreate(context: OperationContext, replacement: Replacement): Promise<Done> {
  try {
    return await createResource(context, replacement);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LostInReplacementError(
      `it has been deleted and could not be made again: ${why}; apply the manifest that follows to have it back`,
      replacement.fields,
      { cause: error },
    );
  }
}
