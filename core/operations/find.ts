import { nameKey } from "../address.ts";
import type { Kind } from "../kinds/index.ts";
import type { Children, LiveResource } from "../live.ts";
import type { OperationContext } from "./context.ts";
import { OperationError } from "./errors.ts";

/** Where a resource is looked for, and under which name. */
export interface Place {
  kind: Kind;
  parentId: string;
  name: string;
}

/** A pause between two looks after an unclear write, in milliseconds: what was asked for may take a moment to show. */
const pause = 500;

/** The resource of that name among what its parent holds. Throws when there are two. */
export function findByName({ kind, name }: Place, children: Children | undefined): LiveResource | undefined {
  const found = (children?.resources ?? []).filter(
    (resource) => resource.kind === kind && nameKey(resource.name) === nameKey(name),
  );
  if (found.length > 1) {
    throw new OperationError(
      "twins",
      `there are ${found.length} of ${kind.name} "${name}": ${found.map(({ id }) => id).join(", ")}; delete all but one`,
    );
  }
  return found[0];
}

/** Looks once for the resource of that name. */
export async function lookByName(
  context: OperationContext,
  place: Place,
  delay = 0,
): Promise<LiveResource | undefined> {
  const children = await context.looks.look(place.kind.parent, place.parentId, delay);
  return findByName(place, children);
}

/** After a write whose outcome is unknown: looks twice, with a pause. */
export async function lookTwice(context: OperationContext, place: Place): Promise<LiveResource | undefined> {
  return (await lookByName(context, place)) ?? (await lookByName(context, place, pause));
}
