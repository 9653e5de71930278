import type { Address } from "../address.ts";
import { nearest } from "../schema/suggest.ts";
import type { PlanContext } from "./context.ts";

/** The names of what is there and most probably meant by an address at which there is nothing. */
export function similar(context: PlanContext, { kind, names }: Address): string[] | undefined {
  const name = names.at(-1) ?? "";
  const holder = context.holderOf({ kind, names });
  if (holder === "unread") return undefined;
  if (!holder) {
    const above = kind.parent && similar(context, { kind: kind.parent, names: names.slice(0, -1) });
    return above && [...above, name];
  }
  const siblings = context.childrenOf(holder)?.all.filter((child) => child.kind === kind) ?? [];
  const near = nearest(
    name,
    siblings.map((sibling) => sibling.name),
  );
  return near === undefined ? undefined : [...names.slice(0, -1), near];
}
