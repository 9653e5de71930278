import type { FieldChange } from "../fields/compare.ts";
import type { Kind } from "../kinds/index.ts";
import { type Fixed, fixedAmong } from "./possible.ts";

/** A service that a clone has to have before it is complete. */
export interface Brought {
  kind: string;
  name: string;
}

/** In what a clone cannot differ from its source: what cannot be changed later, and the clone request does not carry. */
export function fixedInClone({ clone }: Kind, changes: readonly FieldChange[]): Fixed[] {
  return fixedAmong(changes).filter(({ path: [member = ""] }) => !clone?.carries.includes(member));
}

/** The services that a clone brings: those that its source contains, those of unknown types too. */
export function broughtBy(
  resources: readonly { kind: Pick<Kind, "name" | "listing">; name: string }[],
  unknown: readonly { type: string; name: string }[],
): Brought[] {
  return [
    ...resources
      .filter(({ kind }) => !kind.listing.onDemand)
      .map(({ kind, name }) => ({ kind: kind.name, name })),
    ...unknown.map(({ type, name }) => ({ kind: type, name })),
  ];
}
