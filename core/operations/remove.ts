import { timeLimit } from "../values/text.ts";
import { ForbiddenError, NotFoundError, UnclearOutcomeError } from "../api/index.ts";
import { writing } from "../api/write-client.ts";
import { fingerprint } from "../model/fingerprint.ts";
import { kindsInside, type OwnRequest } from "../model/kinds/index.ts";
import {
  type Contents,
  isOnDemand,
  type LivePartOwner,
  type LiveResource,
  readOne,
  resourceIn,
  type WriteEffect,
} from "../state/live/index.ts";
import type { WriteResult, Run } from "./run.ts";
import { OperationError, unfinished, outdated } from "./errors.ts";
import { refuseUnnamedData, refuseUnnamedParts, refuseUnnamedUsers } from "./named-losses.ts";
import { writeThrough } from "./write-through.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";
import { write, type WritePolicy } from "./write.ts";

/** A resource to delete. */
export interface Removal extends LivePartOwner {
  /** Fingerprint of the state that the plan saw; absent: delete it in any state. */
  fingerprint?: string;
  /** The ids of the contents that the plan saw, all levels deep; absent: delete it with any contents. */
  contents?: readonly string[];
}

/** Deletes a resource if it is still as the plan saw it, and waits until it is gone. Succeeds if it is gone already. */
export async function removeResource(run: Run, removal: Removal): Promise<WriteResult> {
  const { id } = removal;
  const remove = async () => (await isThereAsPlanned(run, removal)) && (await sendAndWait(run, removal));
  const isDeleted = await writeThrough(run, removal, remove, goneBy(removal));
  return isDeleted ? { id } : { id, already: true, remarks: ["deleted_by_another"] };
}

/** Whether a resource exists, as the plan saw it. A shared list may lack it: only the 404 of its id says that it is gone. */
async function isThereAsPlanned(run: Run, removal: Removal): Promise<boolean> {
  const { kind, id, parentId } = removal;
  const children = await run.freshLists.readOlder(kind, parentId, await freshFor(run, id));
  const listed = children && resourceIn(children, id);
  const fresh = listed ?? (await readOne(run.client, kind, id, parentId));
  if (fresh) await refuseChanged(run, removal, fresh, children);
  return fresh !== undefined;
}

/** The greatest age of cached state before a deletion, in milliseconds. @param id of the resource */
async function freshFor({ approved }: Run, id: string): Promise<number> {
  return (await approved?.fresh?.age(id)) ?? 0;
}

/** Throws if a resource is not as the plan saw it, or contains, has or is used by something new; `beside`: its list, read afresh. */
export async function refuseChanged(
  run: Run,
  removal: Removal,
  fresh: LiveResource,
  beside?: Contents,
): Promise<void> {
  const { kind, contents } = removal;
  if (
    removal.fingerprint !== undefined &&
    fingerprint(kind, fresh.name, fresh.fields) !== removal.fingerprint
  ) {
    throw outdated("changed", `the ${kind.name} has changed since the plan was made, so it was not deleted`);
  }
  if (contents === undefined) return;
  const seen = new Set(contents);
  const { resources, unknown } = await readInside(run, fresh, seen);
  const unseen = [...resources, ...unknown].filter(({ id }) => !seen.has(id));
  if (unseen.length > 0)
    throw outdated(
      "changed",
      `the ${kind.name} contains resources that have appeared since the plan was made (${unseen.map(({ name }) => name).join(", ")}), so it was not deleted`,
    );
  refuseUnnamedData(run, resources);
  await refuseUnnamedParts(run, [fresh, ...resources]);
  if (kind.outputs === undefined) return;
  const siblings =
    beside ?? (await run.freshLists.readOlder(kind, removal.parentId, await freshFor(run, removal.id)));
  await refuseUnnamedUsers(run, fresh, siblings?.resources ?? []);
}

/** The contents of a resource, all levels deep in those that the plan saw. */
async function readInside(
  run: Run,
  { kind, id }: Pick<LiveResource, "kind" | "id">,
  seen: ReadonlySet<string>,
): Promise<Pick<Contents, "resources" | "unknown">> {
  const kinds = kindsInside(kind);
  const usual = kinds.find((inner) => !isOnDemand(inner));
  // Lists that are read on demand are read here only for data, which nobody could restore.
  const data = kinds.filter((inner) => inner.use === "data" && isOnDemand(inner));
  const age = await freshFor(run, id);
  const lists = await Promise.all(
    [...(usual ? [usual] : []), ...data].map((inner) => run.freshLists.readProved(inner, id, age, seen)),
  );
  const resources = lists.flatMap((list) => list?.resources ?? []);
  const unknown = lists.flatMap((list) => list?.unknown ?? []);
  const inside = await Promise.all(
    resources.filter((child) => seen.has(child.id)).map((child) => readInside(run, child, seen)),
  );
  return {
    resources: [...resources, ...inside.flatMap((each) => each.resources)],
    unknown: [...unknown, ...inside.flatMap((each) => each.unknown)],
  };
}

/** Sends the deletion, and waits; false: somebody else has deleted it. @throws OperationError `busy`, `unclear`, `pending`, `changed` */
export async function deleteAndWait(
  run: Run,
  removal: Removal,
  onGoing?: () => void,
  started = run,
): Promise<boolean> {
  const remove = () => sendAndWait(run, removal, onGoing, started);
  return writeThrough(run, removal, remove, goneBy(removal));
}

/** The change of the store by a deletion; undefined if somebody else has deleted the resource. */
function goneBy({ kind, parentId, id }: Removal) {
  return (isDeleted: boolean): WriteEffect | undefined =>
    isDeleted ? { kind, parentId, gone: id } : undefined;
}

/** @param isAgain whether an earlier request has been answered with 404, and lists have gone on showing the resource */
async function sendAndWait(
  run: Run,
  removal: Removal,
  onGoing?: () => void,
  started = run,
  isAgain = false,
): Promise<boolean> {
  const sent = await sendDeletion(run, removal, onGoing, started);
  if (sent === "gone") return false;
  const { kind, id } = removal;
  const { deletion } = started.limits;
  const limit = sent === "missing" ? Math.min(lagLimit, deletion) : deletion;
  const was = `the deletion of the ${kind.name} ${id} has been ${sent === "missing" ? "answered with 404" : "accepted"}`;
  try {
    if (await waitUntilGone(started, removal, limit)) return true;
  } catch (error) {
    throw unfinished(was, error);
  }
  if (sent === "missing" && !isAgain) return sendAndWait(started, removal, onGoing, started, true);
  throw new OperationError("pending", `${was}, and the resource still exists after ${timeLimit(limit)}`, {
    remedies: [{ inspect: true }, { again: "run" }],
  });
}

/** Milliseconds for which lists may go on showing a deleted resource. */
const lagLimit = 30_000;

/** A deletion may be sent any number of times. */
const deletion: WritePolicy = { resends: Infinity, checksAtOnce: false, pause: 0 };

/** Sends the deletion until it is accepted, or answered 404. Another operation in progress may change the live state that the plan saw. */
async function sendDeletion(
  run: Run,
  removal: Removal,
  onGoing: (() => void) | undefined,
  started: Run,
): Promise<"accepted" | "missing" | "gone"> {
  const { kind, id } = removal;
  const what = `the ${kind.name} ${id}`;
  const onGone = () => {
    onGoing?.();
    if (!kind.listing.isOnlyWay) return;
    // Where only a list shows it, a list without it is right from now on, also if this machine has created it a moment ago.
    run.live.recent.remove(id);
    run.live.creations.deleted(id);
  };
  return write<"delete", "accepted" | "missing" | "gone">(run, {
    policy: deletion,
    words: {
      perhaps: `${what} may or may not have been deleted`,
      checking: "checking whether the resource was deleted",
      gaveUp: (limit) => `it could not be deleted within ${limit}`,
      busy: (limit) => `${what} could not be deleted within ${limit}`,
    },
    limit: run.limits.deletion,
    async check({ isStarted, maybeDone, isPerhapsOurs }) {
      if (!isStarted) return { send: "delete" };
      // A resource that is being deleted is no longer as the plan saw it.
      if (maybeDone) return (await isThere(started, removal)) ? { send: "delete" } : { end: "accepted" };
      const anew = run.approved && { ...run.approved, fresh: undefined };
      return (await isThereAsPlanned({ ...run, approved: anew }, removal))
        ? { send: "delete" }
        : { end: isPerhapsOurs ? "accepted" : "gone" };
    },
    async send(_body, { maybeDone, failure }) {
      try {
        if (failure === undefined && (await run.jointDeletions?.send(removal))) {
          onGoing?.();
          return "accepted";
        }
        const request = await requestFor(run, removal);
        if (!request) return "gone";
        await writing((maybeDone ? started : run).client).delete(request.path, request.body);
      } catch (error) {
        if (error instanceof UnclearOutcomeError) onGone();
        if (!(error instanceof NotFoundError)) throw error;
        onGone();
        return "missing";
      }
      onGone();
      return "accepted";
    },
  });
}

/** The request that deletes a resource; undefined if it is gone. */
async function requestFor(
  { freshLists }: Run,
  { kind, id, parentId }: Removal,
): Promise<OwnRequest | undefined> {
  if (!kind.requests.remove) return { path: kind.requests.one(id, parentId) };
  const contents = await freshLists.readList(kind, parentId);
  const live = contents && resourceIn(contents, id);
  return live && kind.requests.remove(live, parentId);
}

/**
 * Waits until a resource is gone whose deletion the server has accepted. Looks at the list of its parent, which all
 * deletions in that parent share, and reads the resource by its id once the list lacks it. A list may lag or leave
 * something out; so only a 404 says that the resource is gone, or a 403 if the parent exists, as some installations answer
 * 403 for a resource that does not exist, or the lists of `CascadeDeletions`.
 */
function waitUntilGone(run: Run, target: LivePartOwner, limit: number): Promise<true | undefined> {
  const { clock, signal } = run;
  return until(clock, limit, signal, async (attempt) => {
    const reported = await outsideTurn(run, async () =>
      run.jointDeletions?.refresh(target, pollDelay(attempt), signal),
    );
    if (reported !== undefined) return reported === "gone" ? true : undefined;
    return (await isThere(run, target, pollDelay(attempt), signal)) ? undefined : true;
  });
}

/** @param delay milliseconds to wait before the list of its parent is read */
async function isThere(
  run: Run,
  target: LivePartOwner,
  delay?: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { kind, id, parentId } = target;
  const contents = await outsideTurn(run, () => run.freshLists.readList(kind, parentId, delay, signal));
  const isListed = contents && resourceIn(contents, id) !== undefined;
  return isListed || canBeRead(run, target, contents !== undefined);
}

/** @param isParentThere whether a 403 can only be about the resource itself */
async function canBeRead(
  { client }: Run,
  { kind, id, parentId }: LivePartOwner,
  isParentThere: boolean,
): Promise<boolean> {
  try {
    return (await readOne(client, kind, id, parentId)) !== undefined;
  } catch (error) {
    if (isParentThere && error instanceof ForbiddenError) return false;
    throw error;
  }
}
