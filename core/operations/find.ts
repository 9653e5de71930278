import type { Kind } from "../model/kinds/index.ts";
import { allNamed, type Contents, type LiveResource, toLive } from "../state/live/index.ts";
import type { Run } from "./run.ts";
import { ConflictError, NotFoundError } from "../api/index.ts";
import { isFields } from "../values/json.ts";
import { isAbout } from "./body.ts";
import { OperationError } from "./errors.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";

/** Where a resource is looked for, and under which name. */
export interface ResourcePlace extends Pick<LiveResource, "kind" | "parentId" | "name"> {
  /** The id of a resource with that name that is being deleted: the step ignores it if a list still has it. */
  formerId?: string;
  /** Until when a clone of its parent may still bring it, in milliseconds since 1970: the step waits for that first. */
  awaitedUntil?: number;
}

/** The resource with that name among the contents of its parent. Throws if there are two. */
export function findByName(
  { kind, name, formerId }: ResourcePlace,
  children: Contents | undefined,
): LiveResource | undefined {
  const found = allNamed(children, kind, name).filter(({ id }) => id !== formerId);
  if (found.length > 1) {
    throw new OperationError(
      "twins",
      `the API has ${found.length} resources of the kind ${kind.name} with the name "${name}": ${found.map(({ id }) => id).join(", ")}`,
      { remedies: [{ keepOne: true }] },
    );
  }
  return found[0];
}

/** Reads the list once, and finds the resource of that name in it. */
export async function readByName(
  run: Run,
  place: ResourcePlace,
  delay = 0,
): Promise<LiveResource | undefined> {
  const children = await run.freshLists.readList(place.kind, place.parentId, delay);
  return findByName(place, children);
}

/** Waits for a resource that a clone of its parent may still bring, or for a clone that another run has requested, and says so. */
export async function arrival(run: Run, place: ResourcePlace): Promise<LiveResource | undefined> {
  const end = Math.max(place.awaitedUntil ?? 0, run.live.recent.awaitedUntil(place) ?? 0);
  const left = Math.min(end - run.client.serverTime, run.limits.clone);
  if (left <= 0) return undefined;
  const last = new Date(run.clock.now() + left);
  const subject = `${place.kind.name} ${place.name}`;
  return until(run.clock, left, run.signal, (attempt) => {
    if (attempt === 1) run.onWait?.({ reason: "clone", until: last, attempt, subject });
    return outsideTurn(run, () => readByName(run, place, pollDelay(attempt)));
  });
}

/** How often a name is tried that something has which no list and no read shows: for about ten seconds, as lists lag. */
const mostTaken = 8;
const takenName =
  /\b(?:already (?:has|have|exists?|taken|used)|(?:is|was|been) taken|same name|not unique|duplicate)\b/i;
const anyId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Reads the holder of a name that a 409 calls taken, which a list may lack; undefined: it may become free. @throws `exists` */
export async function holderOf(
  { client }: Run,
  { kind, parentId, name, formerId }: ResourcePlace,
  error: unknown,
  tries: number,
): Promise<LiveResource | undefined> {
  if (!(error instanceof ConflictError) || !takenName.test(error.words)) return undefined;
  const ids = (error.words.match(anyId) ?? []).filter((id) => id !== parentId);
  if (ids.includes(formerId ?? "")) return undefined;
  for (const id of ids) {
    const response = await client.get(kind.requests.one(id, parentId)).catch((failure: unknown) => {
      if (failure instanceof NotFoundError) return undefined;
      throw failure;
    });
    if (!isFields(response)) continue;
    if (isAbout(kind, response, { id, name, parentId })) return toLive(kind, { ...response, id }, parentId);
    // It has been renamed since, and the name is free.
    if (isAbout(kind, response, { id, parentId }) && tries < mostTaken) return undefined;
    throw taken(kind, name, `the ${kind.name} ${id}, in another place, has this name`);
  }
  if (tries < mostTaken) return undefined;
  throw taken(
    kind,
    name,
    `the server says that the name is taken, and no list shows its owner: ${error.summary}`,
  );
}

function taken(kind: Kind, name: string, why: string): OperationError {
  return new OperationError("exists", `no ${kind.name} can get the name "${name}": ${why}`, {
    remedies: [{ again: "later" }],
  });
}
