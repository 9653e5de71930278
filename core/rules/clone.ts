import type { FieldChange } from "../model/fields/compare.ts";
import type { Kind } from "../model/kinds/index.ts";
import { type ImmutableChange, fixedAmong } from "./possible.ts";

/** A service that a clone has to have before it is complete. */
export interface ClonedService {
  kind: string;
  name: string;
}

/**
 * Milliseconds after which nothing more comes with a clone that has begun to show services: long enough for lists that lag
 * by half a minute.
 */
const quiet = 30_000;

/**
 * Until when a clone may still bring a service that it lacks, in milliseconds since 1970. Nothing tells when a server has
 * copied everything; a service that it lacks for longer was deleted there, or renamed in the source.
 *
 * @param since when the clone was created
 * @param last when the newest service came with it; absent while there are no services
 * @param limit for how long a clone may take, in milliseconds
 */
export function copyingEnds(
  { since, last }: { since: string; last?: string | undefined },
  limit: number,
): number {
  const end = Date.parse(since) + limit;
  return last === undefined ? end : Math.min(end, Date.parse(last) + quiet);
}

/** Changes that a clone cannot have: fields that cannot be changed later and that the clone request does not carry. */
export function fixedInClone({ clone }: Kind, changes: readonly FieldChange[]): ImmutableChange[] {
  return fixedAmong(changes).filter(({ path: [member = ""] }) => !clone?.carries.includes(member));
}

/** The services that a clone brings: those that its source contains, those of unknown types too. */
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
