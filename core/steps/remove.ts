import { ForbiddenError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { fingerprint } from "../fingerprint.ts";
import { kindsInside } from "../kinds/index.ts";
import { type LiveResource, readOne, type Written } from "../live/index.ts";
import type { Done, OperationContext } from "./context.ts";
import { OperationError, unfinished } from "./errors.ts";
import { takingIn } from "./taking-in.ts";
import type { Target } from "./update.ts";
import { pollDelay, until } from "./wait.ts";
import { write, type WritePolicy } from "./write.ts";

/** A resource to be deleted. */
export interface Removal extends Target {
  /** Of the state that the plan saw; absent: whatever it is now. */
  fingerprint?: string;
  /** The ids of all that the plan saw inside, all levels deep; absent: whatever is there now. */
  contents?: readonly string[];
}

/** Deletes a resource that still is what the plan saw, and waits until it is gone. Gone already is success. */
export async function removeResource(context: OperationContext, removal: Removal): Promise<Done> {
  const { id } = removal;
  const remove = async () =>
    (await isThereAsPlanned(context, removal)) && (await sendAndWait(context, removal));
  const isDeleted = await takingIn(context, removal, remove, goneBy(removal));
  return isDeleted
    ? { id }
    : { id, already: true, remark: "gone already: deleted by another since the plan" };
}

/**
 * Whether a resource is there, by a look that is shared with all others at the same parent, so that many deletions
 * cost one request. What the list does not have is asked for by id, as only a 404 says that it is gone. Throws when it
 * is not what the plan saw.
 */
async function isThereAsPlanned(context: OperationContext, removal: Removal): Promise<boolean> {
  const { kind, id, parentId } = removal;
  const children = await context.looks.look(kind.parent, parentId);
  const listed = children?.resources.find((resource) => resource.id === id);
  const fresh = listed ?? (await readOne(context.client, kind, id, parentId));
  if (fresh) await refuseChanged(context, removal, fresh);
  return fresh !== undefined;
}

/** Throws when a resource is not what the plan saw, or holds something that the plan did not see. */
export async function refuseChanged(
  context: OperationContext,
  removal: Removal,
  fresh: LiveResource,
): Promise<void> {
  const { kind, contents } = removal;
  if (
    removal.fingerprint !== undefined &&
    fingerprint(kind, fresh.name, fresh.fields) !== removal.fingerprint
  ) {
    throw new OperationError("changed", `the ${kind.name} has changed meanwhile, so it is not deleted`, {
      remedies: [{ again: "plan" }],
    });
  }
  if (contents === undefined) return;
  const unseen = await unseenInside(context, fresh, new Set(contents));
  if (unseen.length === 0) return;
  throw new OperationError(
    "changed",
    `the ${kind.name} holds what has appeared meanwhile (${unseen.join(", ")}), so it is not deleted`,
    { remedies: [{ again: "plan" }] },
  );
}

/** The names of what has appeared inside since the plan, all levels deep. */
async function unseenInside(
  context: OperationContext,
  { kind, id }: Pick<LiveResource, "kind" | "id">,
  seen: ReadonlySet<string>,
): Promise<string[]> {
  if (kindsInside(kind).length === 0) return [];
  const children = await context.looks.look(kind, id);
  const { resources = [], unknown = [] } = children ?? {};
  const inside = await Promise.all(
    resources.filter((child) => seen.has(child.id)).map((child) => unseenInside(context, child, seen)),
  );
  const unseen = [...resources, ...unknown].filter((child) => !seen.has(child.id));
  return [...unseen.map(({ name }) => name), ...inside.flat()];
}

/**
 * Sends the deletion, and looks until the resource is gone. False when another has deleted it meanwhile.
 *
 * @param onGoing is called as soon as the server may have begun to delete it
 * @param begun goes on from there
 * @throws OperationError `busy`, `unclear`, `pending` or `changed`
 */
export async function deleteAndWait(
  context: OperationContext,
  removal: Removal,
  onGoing?: () => void,
  begun = context,
): Promise<boolean> {
  const remove = () => sendAndWait(context, removal, onGoing, begun);
  return takingIn(context, removal, remove, goneBy(removal));
}

/** What a deletion is to the store; nothing where another has deleted it. */
function goneBy({ kind, parentId, id }: Removal) {
  return (isDeleted: boolean): Written | undefined => (isDeleted ? { kind, parentId, gone: id } : undefined);
}

async function sendAndWait(
  context: OperationContext,
  removal: Removal,
  onGoing?: () => void,
  begun = context,
): Promise<boolean> {
  if ((await sendDeletion(context, removal, onGoing, begun)) === "gone") return false;
  const { kind, id } = removal;
  const accepted = `the deletion of the ${kind.name} ${id} has been accepted`;
  try {
    if (await waitUntilGone(begun, removal)) return true;
  } catch (error) {
    throw unfinished(accepted, error);
  }
  throw new OperationError(
    "pending",
    `${accepted}, and after ${seconds(context)} it is still there; look at it in the console`,
    { remedies: [{ again: "run" }] },
  );
}

/** How a deletion is treated: it may be sent as often as one likes. */
const deletion: WritePolicy = { resends: Infinity, looksAtOnce: false, pause: 0 };

/** Sends the deletion until it is accepted. While another operation is under way, what the plan saw may change. */
async function sendDeletion(
  context: OperationContext,
  removal: Removal,
  onGoing: (() => void) | undefined,
  begun: OperationContext,
): Promise<"accepted" | "gone"> {
  const { kind, id } = removal;
  const what = `the ${kind.name} ${id}`;
  return write<"delete", "accepted" | "gone">(context, {
    policy: deletion,
    words: {
      perhaps: `${what} may or may not have been deleted`,
      checking: "checking whether it is gone",
      vain: (limit) => `it could not be deleted for ${limit} s`,
      busy: (limit) => `${what} could not be deleted for ${limit} s`,
    },
    limit: context.limits.deletion,
    async look({ isBegun, isPerhaps }) {
      // What may be going already is no longer what the plan saw.
      const isLeft = isPerhaps || !isBegun || (await isThereAsPlanned(context, removal));
      return isLeft ? { send: "delete" } : { end: "gone" };
    },
    async send(_body, { isPerhaps }) {
      try {
        await (isPerhaps ? begun : context).client.delete(kind.path(id));
      } catch (error) {
        if (error instanceof UnclearOutcomeError) onGoing?.();
        if (!(error instanceof NotFoundError)) throw error;
      }
      onGoing?.();
      return "accepted";
    },
  });
}

/**
 * Looks until a resource is gone whose deletion has been accepted: at the list of its parent, which all share that
 * delete from it, and when that has it no more, for it by its id. A list may lag or leave something out; only a 404 says
 * that it is gone, or a 403 where the parent is there: some installations answer so for what does not exist.
 */
function waitUntilGone(context: OperationContext, target: Target): Promise<true | undefined> {
  const { looks, clock, limits, signal } = context;
  const { kind, id, parentId } = target;
  return until(clock, limits.deletion, signal, async (attempt) => {
    const contents = await looks.look(kind.parent, parentId, pollDelay(attempt), signal);
    const isListed = contents?.resources.some((resource) => resource.id === id);
    return isListed || (await canBeRead(context, target, contents !== undefined)) ? undefined : true;
  });
}

/** @param isParentThere whether a 403 can only be about the resource itself */
async function canBeRead(
  { client }: OperationContext,
  { kind, id, parentId }: Target,
  isParentThere: boolean,
): Promise<boolean> {
  try {
    return (await readOne(client, kind, id, parentId)) !== undefined;
  } catch (error) {
    if (isParentThere && error instanceof ForbiddenError) return false;
    throw error;
  }
}

function seconds({ limits }: OperationContext): string {
  return `${limits.deletion / 1000} s`;
}
