import { allNamed, listLag, type LiveResource, resourceIn } from "../state/live/index.ts";
import { saving, type Run } from "./run.ts";
import type { ResourcePlace } from "./find.ts";
import { OperationError, unfinished } from "./errors.ts";
import { deleteAndWait } from "./remove.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";

/** What a creation has come to, and the id as far as the answer tells it. */
interface CreationOutcome<Result> {
  made: Result;
  id: string | undefined;
}

/**
 * Creates a resource. Where no events tell what others have created, the first creation of a run shows whether lists lag: if its
 * list lacks it, the run waits for it, removes it again if somebody else has made the same before, and reads the list before
 * each further creation.
 *
 * @param make creates it; `checksFirst` tells whether lists have to be read before
 */
export async function afterFirst<Result>(
  run: Run,
  place: ResourcePlace,
  make: (
    checksFirst: boolean,
  ) => Promise<CreationOutcome<Result | { there: LiveResource; isPerhapsOurs: boolean }>>,
): Promise<Result | { there: LiveResource; isPerhapsOurs: boolean }> {
  const { live } = run;
  const makeKnown = async (checksFirst: boolean) => {
    const { made, id } = await make(checksFirst);
    if (id !== undefined) live.recent.made(place, id, run.client.serverTime);
    return made;
  };
  while (live.recent.isBlind && live.lists) {
    const { lists: shown } = live;
    const lists = await outsideTurn(run, () => shown);
    if (lists !== undefined) return makeKnown(lists === "late");
  }
  if (!live.recent.isBlind) return makeKnown(false);
  const { promise, resolve } = Promise.withResolvers<"prompt" | "late" | undefined>();
  live.lists = promise;
  let lists: "prompt" | "late" | undefined;
  try {
    const { made, id } = await make(false);
    if (id === undefined) return made;
    const refresh = await listOf(run, place, id).catch((error: unknown) => {
      const isSaid = error instanceof OperationError && error.made.includes(id);
      throw isSaid ? error : unfinished(`it has been created (${id})`, error, id);
    });
    lists = refresh.lists;
    return refresh.there ? { there: refresh.there, isPerhapsOurs: false } : made;
  } finally {
    if (lists === undefined) live.lists = undefined;
    resolve(lists);
  }
}

/** Whether a list shows a new resource at once; if not, waits for it. Returns what somebody else has made before under its name. */
async function listOf(
  run: Run,
  { kind, parentId, name }: ResourcePlace,
  id: string,
): Promise<{ lists: "prompt" | "late"; there?: LiveResource }> {
  const listed = async (attempt: number) => {
    const contents = await run.freshLists.saving.readList(kind, parentId, pollDelay(attempt));
    return !contents || resourceIn(contents, id) ? { contents } : undefined;
  };
  if (await listed(0)) return { lists: "prompt" };
  const last = new Date(run.clock.now() + listLag);
  run.onWait?.({ reason: "lists", until: last, attempt: 1, subject: `${kind.name} ${name}` });
  const shown = await until(run.clock, listLag, run.signal, (attempt) =>
    outsideTurn(run, () => listed(attempt + 1)),
  );
  const named = allNamed(shown?.contents, kind, name).toSorted((one, other) =>
    orderOf(one) < orderOf(other) ? -1 : 1,
  );
  const [there] = named;
  // Of two runs at once, the one that came first keeps its own.
  if (!there || there.id === id || !named.some((each) => each.id === id)) return { lists: "late" };
  // Whoever has put something into it meanwhile keeps it.
  const contents = await run.freshLists.saving.read(kind, id);
  if (contents?.resources.some((resource) => !resource.kind.comesWithParent?.(resource.name)))
    throw new OperationError(
      "twins",
      `another client has also created the ${kind.name} ${name} (${there.id}), and the resource of this run (${id}) already has contents`,
      { made: [id], remedies: [{ keepOne: true }] },
    );
  await deleteAndWait(saving(run), { kind, id, parentId });
  return { lists: "late", there };
}

function orderOf({ id, response }: LiveResource): string {
  return `${String(response["created_at"])} ${id}`;
}
