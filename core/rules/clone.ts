import type { FieldChange } from "../model/fields/compare.ts";
import type { Kind } from "../model/kinds/index.ts";
import { type ImmutableChange, fixedAmong } from "./possible.ts";

export interface ClonedService {
  kind: string;
  name: string;
}

/** Milliseconds without a new service after which a clone is complete: longer than the lag of lists. */
const quiet = 30_000;

/** Until when a clone may still bring a service: the server does not tell its end, so a limit counts from the newest one. */
export function copyingEnds(
  { since, last }: { since: string; last?: string | undefined },
  limit: number,
): number {
  const end = Date.parse(since) + limit;
  return last === undefined ? end : Math.min(end, Date.parse(last) + quiet);
}

/** Changes that a clone cannot have: immutable fields that the clone request does not carry. */
export function fixedInClone({ clone }: Kind, changes: readonly FieldChange[]): ImmutableChange[] {
  return fixedAmong(changes).filter(({ path: [member = ""] }) => !clone?.carries.includes(member));
}

/** The services of a clone: those of its source, also of unknown types. */
export function servicesOfClone(
  resources: readonly { kind: Pick<Kind, "name" | "listing">; name: string }[],
  unknown: readonly { type: string; name: string }[],
): ClonedService[] {
  return [
    ...resources
      .filter(({ kind }) => !kind.listing.onDemand)
      .map(({ kind, name }) => ({ kind: kind.name, name })),
    ...unknown.map(({ type, name }) => ({ kind: type, name })),
  ];
}
