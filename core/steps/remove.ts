import { ConflictError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { fingerprint } from "../fingerprint.ts";
import { kindsInside } from "../kinds/index.ts";
import { type LiveResource, readOne, type Written } from "../live/index.ts";
import type { Done, OperationContext } from "./context.ts";
import { messageOf, OperationError, unclear, unfinished } from "./errors.ts";
import { takingIn } from "./taking-in.ts";
import type { Target } from "./update.ts";
import { pollDelay, until } from "./wait.ts";

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
    throw new OperationError(
      "changed",
      `the ${kind.name} has changed since the plan, so it is not deleted; plan again`,
    );
  }
  if (contents === undefined) return;
  const unseen = await unseenInside(context, fresh, new Set(contents));
  if (unseen.length === 0) return;
  throw new OperationError(
    "changed",
    `the ${kind.name} holds what the plan did not see (${unseen.join(", ")}), so it is not deleted; plan again`,
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
    `${accepted}, and after ${seconds(context)} it is still there; look at it in the console, then run again`,
  );
}

/** Sends the deletion until it is accepted. While another operation is under way, what the plan saw may change. */
async function sendDeletion(
  context: OperationContext,
  removal: Removal,
  onGoing: (() => void) | undefined,
  begun: OperationContext,
): Promise<"accepted" | "gone"> {
  const { kind, id } = removal;
  const { clock, limits, signal } = context;
  const perhapsDeleted = `the ${kind.name} ${id} may or may not have been deleted`;
  let failure: unknown;
  let isPerhapsGoing = false;
  const tryOnce = async (attempt: number): Promise<"accepted" | "gone" | undefined> => {
    await clock.sleep(pollDelay(attempt), signal);
    const isRefused = attempt > 0 && !isPerhapsGoing;
    if (isRefused && !(await isThereAsPlanned(context, removal))) return "gone";
    try {
      await (isPerhapsGoing ? begun : context).client.delete(kind.path(id));
    } catch (error) {
      failure = error;
      if (error instanceof ConflictError) return undefined;
      if (error instanceof UnclearOutcomeError) {
        isPerhapsGoing = true;
        onGoing?.();
        return undefined;
      }
      if (!(error instanceof NotFoundError))
        throw isPerhapsGoing
          ? unclear(perhapsDeleted, `the next try failed: ${messageOf(error)}`, error)
          : error;
    }
    onGoing?.();
    return "accepted";
  };
  const end = await until(clock, limits.deletion, signal, tryOnce, (interruption) =>
    isPerhapsGoing ? unclear(perhapsDeleted, "the run was interrupted", interruption) : undefined,
  );
  if (end) return end;
  const why = `could not be deleted for ${seconds(context)}: ${messageOf(failure)}`;
  if (isPerhapsGoing) throw unclear(perhapsDeleted, `it ${why}`, failure);
  throw new OperationError("busy", `the ${kind.name} ${id} ${why}; run again later`, { cause: failure });
}

function waitUntilGone(
  { looks, clock, limits, signal }: OperationContext,
  { kind, id, parentId }: Target,
): Promise<true | undefined> {
  return until(clock, limits.deletion, signal, async (attempt) => {
    const children = await looks.look(kind.parent, parentId, pollDelay(attempt), signal);
    return children?.resources.some((resource) => resource.id === id) ? undefined : true;
  });
}

function seconds({ limits }: OperationContext): string {
  return `${limits.deletion / 1000} s`;
}
