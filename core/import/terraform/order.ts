import { type Kind, listedKinds } from "../../kinds/index.ts";
import { nameKey } from "../../names.ts";
import type { LivePlace } from "./places.ts";

/** What has a place in the order: a live resource, or one of the state that is not there. */
export type Ordered = { place: LivePlace } | { resource: { address: string }; absence: unknown };

/** The order of documents: those of the organization by their kinds, projects with what is in them, at last what has none. */
export function inOrder(left: Ordered, right: Ordered): number {
  const [one, other] = [keyOf(left), keyOf(right)];
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const [first = "", second = ""] = [one[index], other[index]];
    if (first !== second) return first < second ? -1 : 1;
  }
  return 0;
}

/** Of a resource its place among kinds, then names, each below its parent. */
function keyOf(read: Ordered): string[] {
  const rank = (kind: Kind) => `kind ${String(listedKinds.indexOf(kind)).padStart(3, "0")}`;
  const key = (name: string) => `name ${nameKey(name)}`;
  if ("absence" in read) return ["none", read.resource.address];
  const { resource, parentNames } = read.place;
  let root = resource.kind;
  while (root.parent) root = root.parent;
  return [
    rank(root),
    ...parentNames.map(key),
    ...(resource.kind.parent ? [rank(resource.kind)] : []),
    key(resource.name),
  ];
}
