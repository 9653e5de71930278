import type { Kind } from "../kinds/index.ts";
import { allNamed, type Contents, type LiveResource } from "../live/index.ts";
import type { Run } from "./run.ts";
import { OperationError } from "./errors.ts";
import { outsideTurn, pollDelay, until } from "./wait.ts";

/** Where a resource is looked for, and under which name. */
export interface ResourcePlace {
  kind: Kind;
  parentId: string;
  name: string;
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

/** Waits for a resource that a clone of its parent may still bring. */
export async function arrival(run: Run, place: ResourcePlace): Promise<LiveResource | undefined> {
  const left = Math.min((place.awaitedUntil ?? 0) - run.client.serverTime, run.limits.clone);
  if (left <= 0) return undefined;
  return until(run.clock, left, run.signal, (attempt) =>
    outsideTurn(run, () => readByName(run, place, pollDelay(attempt))),
  );
}
