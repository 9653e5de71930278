import { kindsInside } from "../kinds/index.ts";
import { type Contents, hasListsOnDemand, joined, type Known, type LiveResource } from "../live/index.ts";

/** The known state of the server, without what has not been read. Planning changes none of it. */
export interface LiveState extends Known {
  organization: { id: string; name?: string };
  /** Milliseconds since 1970. */
  now: number;
}

/** The contents of the organization; undefined while they have not been read. */
export function contentsOfOrganization({ contents, organization }: LiveState): Contents | undefined {
  return contents.get(organization.id);
}

/**
 * What a resource contains, as far as it has been read; undefined while the lists have not been read that every plan
 * reads. Some kinds contain nothing.
 */
export function contentsIn(
  { contents, onDemand }: LiveState,
  { kind, id }: LiveResource,
): Contents | undefined {
  if (kindsInside(kind).length === 0) return nothing;
  const usual = contents.get(id);
  const others = onDemand.get(id);
  return usual && others ? joined(usual, others) : usual;
}

/** Whether the lists of a resource have been read that are read on demand only. */
export function isWholeIn({ onDemand }: LiveState, { kind, id }: LiveResource): boolean {
  return !hasListsOnDemand(kind) || onDemand.has(id);
}

const nothing: Contents = { resources: [], unknown: [] };
