import type { Kind } from "../model/kinds/index.ts";
import { sameId } from "../state/live/index.ts";
import { article } from "../values/text.ts";
import type { ImmutableChange } from "./possible.ts";

/** Why a resource cannot move to another parent. */
export function staysInParent({ name, parent }: Kind): string {
  return `${article(name)} cannot be moved to another ${parent?.name ?? "organization"}`;
}

/** A change of the parent, like that of an immutable field; empty: it stays. @param member such as `environment` */
export function moveOf(kind: Kind, member: string, parentId: string, desiredId: string): ImmutableChange[] {
  return sameId(parentId, desiredId)
    ? []
    : [{ path: [member], before: parentId, after: desiredId, replaces: staysInParent(kind) }];
}
