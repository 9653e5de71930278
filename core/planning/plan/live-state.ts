import { type Kind, kindsInside } from "../../model/kinds/index.ts";
import {
  type Contents,
  isOnDemand,
  joined,
  kindsOnDemand,
  type LiveValues,
  listKey,
  type LiveResource,
} from "../../state/live/index.ts";

/** The live state, as far as it has been read. Planning does not change it. */
export interface LiveState extends LiveValues {
  organization: { id: string; name?: string | undefined };
  /** Milliseconds since 1970. */
  now: number;
  /** Ids of parents and keys of lists of which only some entries are known; absent: none. */
  incomplete?: ReadonlySet<string>;
  /** The ids of parents that a program has yet to make; absent: none. */
  unmade?: ReadonlySet<string>;
  /** Whether responses contain the member at a path, from a cache; absent: the responses that were read decide. */
  shows?(path: readonly string[]): boolean;
  /** Only the ids of the parents are known. Absent: their names too. */
  isUnnamed?: true;
  /** Nothing more will be read: a plan uses the known state. Absent: the caller reads the missing state. */
  isFinal?: true;
}

/** As far as its lists have been read. */
export function contentsOfOrganization(live: LiveState): Contents {
  return listedIn(live, undefined, live.organization.id);
}

/** As far as its lists have been read. */
export function contentsIn(live: LiveState, { kind, id }: LiveResource): Contents {
  return listedIn(live, kind, id);
}

/** The kinds whose list in a parent has not been read. @param parent undefined means the organization */
export function unreadIn(live: LiveState, parent: Kind | undefined, parentId: string): Kind[] {
  const isRead = (known: ReadonlyMap<string, Contents>, key: string) =>
    known.has(key) && live.incomplete?.has(key) !== true;
  const isUsualRead = isRead(live.contents, parentId);
  return kindsInside(parent).filter((kind) =>
    isOnDemand(kind) ? !isRead(live.lists, listKey({ kind, parentId })) : !isUsualRead,
  );
}

/** The unread kinds in a managed resource: the settings of the organization stand for the organization. */
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
