import type { Kind } from "../model/kinds/index.ts";
import { sameId } from "../state/live/index.ts";
import { article } from "../values/text.ts";
import type { ImmutableChange } from "./possible.ts";

/** Why a resource stays in the parent in which it was made. */
export function staysInParent({ name, parent }: Kind): string {
  return `${article(name)} ${name} cannot be moved to another ${parent?.name ?? "organization"}`;
}

/**
 * A change of the parent, like one of a field that cannot be changed; none where the parent stays.
 *
 * @param member what names the parent: `environment`
 */
export function moveOf(kind: Kind, member: string, parentId: string, wantedId: string): ImmutableChange[] {
  return sameId(parentId, wantedId)
    ? []
    : [{ path: [member], before: parentId, after: wantedId, replaces: staysInParent(kind) }];
}
