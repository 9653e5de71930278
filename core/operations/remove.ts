import { ConflictError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { fingerprint } from "../fingerprint.ts";
import { kindsInside } from "../kinds/index.ts";
import type { LiveResource } from "../live.ts";
import type { OperationContext } from "./context.ts";
import { messageOf, OperationError } from "./errors.ts";
import type { Target } from "./update.ts";
import { pollDelay, until } from "./wait.ts";

/** A resource to be deleted. */
export interface Removal extends Target {
  /** Of the state that the plan saw; absent: whatever it is now. */
  fingerprint?: string;
  /** The ids of all that the plan saw inside; absent: whatever is there now. */
  contents?: readonly string[];
}

/** Deletes a resource that still is what the plan saw, and waits until it is gone. Gone already is success. */
export async function removeResource(context: OperationContext, removal: Removal): Promise<void> {
  const fresh = await lookById(context, removal);
  if (!fresh) return;
  await refuseChanged(context, removal, fresh);
  await deleteAndWait(context, removal);
}

/** A look that is shared with all others at the same parent, so that many deletions cost one request. */
async function lookById(context: OperationContext, target: Target): Promise<LiveResource | undefined> {
  const children = await context.looks.look(target.kind.parent, target.parentId);
  return children?.resources.find(({ id }) => id === target.id);
}

/** Throws when a resource is not what the plan saw, or holds something that the plan did not see. */
export async function refuseChanged(
  context: OperationContext,
  removal: Removal,
  fresh: LiveResource,
): Promise<void> {
  const { kind, id, contents } = removal;
  if (
    removal.fingerprint !== undefined &&
    fingerprint(kind, fresh.name, fresh.fields) !== removal.fingerprint
  ) {
    throw new OperationError(
      "changed",
      `the ${kind.name} has changed since the plan, so it is not deleted; plan again`,
    );
  }
  if (contents === undefined || kindsInside(kind).length === 0) return;
  const children = await context.looks.look(kind, id);
  const held = [...(children?.resources ?? []), ...(children?.unknown ?? [])];
  const unseen = held.filter((child) => !contents.includes(child.id));
  if (unseen.length === 0) return;
  throw new OperationError(
    "changed",
    `the ${kind.name} holds what the plan did not see (${unseen.map(({ name }) => name).join(", ")}), so it is not deleted; plan again`,
  );
}

/**
 * Sends the deletion, and looks until the resource is gone.
 *
 * @param onGoing is called as soon as the server may have begun to delete it
 */
export async function deleteAndWait(
  context: OperationContext,
  { kind, id, parentId }: Target,
  onGoing?: () => void,
): Promise<void> {
  const seconds = `${context.limits.deletion / 1000} s`;
  let failure: unknown;
  const accepted = await until(context.clock, context.limits.deletion, context.signal, async (attempt) => {
    await context.clock.sleep(pollDelay(attempt), context.signal);
    try {
      await context.client.delete(kind.path(id));
    } catch (error) {
      failure = error;
      if (error instanceof ConflictError) return undefined;
      if (error instanceof UnclearOutcomeError) {
        onGoing?.();
        return undefined;
      }
      if (!(error instanceof NotFoundError)) throw error;
    }
    onGoing?.();
    return true;
  });
  if (!accepted)
    throw new OperationError(
      failure instanceof ConflictError ? "busy" : "unclear",
      `the ${kind.name} ${id} could not be deleted for ${seconds}: ${messageOf(failure)}; run again later`,
      { cause: failure },
    );
  const gone = await until(context.clock, context.limits.deletion, context.signal, async (attempt) => {
    const children = await context.looks.look(kind.parent, parentId, pollDelay(attempt), context.signal);
    return children?.resources.some((resource) => resource.id === id) ? undefined : true;
  });
  if (gone) return;
  throw new OperationError(
    "pending",
    `the ${kind.name} ${id} is still there ${seconds} after its deletion was accepted; look at it in the console, then run again`,
  );
}
