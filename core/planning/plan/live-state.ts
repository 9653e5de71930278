import type { Kind } from "../../model/kinds/index.ts";
import { kindsInside } from "../../model/kinds/index.ts";
import {
  type Contents,
  isOnDemand,
  joined,
  kindsOnDemand,
  type LiveValues,
  listKey,
  type LiveResource,
} from "../../state/live/index.ts";

/** The state of the server as far as it has been read. Planning changes none of it. */
export interface LiveState extends LiveValues {
  organization: { id: string; name?: string | undefined };
  /** Milliseconds since 1970. */
  now: number;
  /** Milliseconds by which the clock of the server is ahead of that of this machine; absent: nobody has compared them. */
  serverAhead?: number;
  /** The parents, by their ids, and the lists, by their keys, of which only some entries are known; absent: none. */
  incomplete?: ReadonlySet<string>;
  /** Whether answers of the server have shown the member at a path, where a front end remembers them; absent: those that have been read tell. */
  shows?(path: readonly string[]): boolean;
  /** Of what the resources are in, only the ids are known. Absent: the names are known too. */
  isUnnamed?: true;
  /** Nothing more is going to be read: a plan says what follows from what is known. Absent: the caller reads what a plan needs. */
  isFinal?: true;
}

/** The contents of the organization, as far as its lists have been read. */
export function contentsOfOrganization(live: LiveState): Contents {
  return listedIn(live, undefined, live.organization.id);
}

/** The contents of a resource, as far as its lists have been read. */
export function contentsIn(live: LiveState, { kind, id }: LiveResource): Contents {
  return listedIn(live, kind, id);
}

/**
 * Kinds whose list in a parent has not been read.
 *
 * @param parent undefined means the organization
 */
export function unreadIn(live: LiveState, parent: Kind | undefined, parentId: string): Kind[] {
  const isRead = (known: ReadonlyMap<string, Contents>, key: string) =>
    known.has(key) && live.incomplete?.has(key) !== true;
  const isUsualRead = isRead(live.contents, parentId);
  return kindsInside(parent).filter((kind) =>
    isOnDemand(kind) ? !isRead(live.lists, listKey({ kind, parentId })) : !isUsualRead,
  );
}

/** The kinds that a described resource holds and that have not been read: the settings of the organization hold the organization. */
export function unlistedIn(live: LiveState, { kind, id }: LiveResource): Kind[] {
  const unread =
    kind.use === "settings" ? unreadIn(live, undefined, live.organization.id) : unreadIn(live, kind, id);
  return unread.filter(({ use }) => use === undefined);
}

function listedIn({ contents, lists }: LiveState, parent: Kind | undefined, parentId: string): Contents {
  if (kindsInside(parent).length === 0) return nothing;
  const onDemand = kindsOnDemand(parent).flatMap((kind) => lists.get(listKey({ kind, parentId })) ?? []);
  const usual = contents.get(parentId);
  return usual && onDemand.length === 0 ? usual : joined(usual, ...onDemand);
}

const nothing: Contents = { resources: [], unknown: [] };
