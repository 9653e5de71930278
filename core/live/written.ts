import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { Contents } from "./contents.ts";
import { isWhole, type LiveResource, parentIdIn, sameId, toLive } from "./resource.ts";

/** The result of a write inside a parent. */
export interface Written {
  kind: Kind;
  parentId: string;
  /** The id of a resource that was deleted or replaced. */
  gone?: string;
  /** The resource that was created or updated, with the answer of the server, if it can be trusted. */
  there?: { id: string; response: Fields | undefined };
}

/** The resource that an answer shows. Undefined if it has fewer members than a list, or does not name this resource and this parent. */
export function believable(
  kind: Kind,
  parentId: string,
  { id, response }: NonNullable<Written["there"]>,
): LiveResource | undefined {
  if (!response || !isWhole(kind, response)) return undefined;
  const live = toLive(kind, response, parentId);
  const itsParent = parentIdIn(kind, response);
  // The answers about what the organization contains may not name the organization: it stands in the path.
  const isInParent = itsParent === undefined ? !kind.parent : sameId(itsParent, parentId);
  const isAboutIt = sameId(live.id, id) && isInParent;
  return isAboutIt ? live : undefined;
}

/** Contents with a resource in the place of the one of its id, or behind the others. */
export function withResource(contents: Contents, live: LiveResource): Contents {
  const { resources } = contents;
  const index = resources.findIndex(({ id }) => sameId(id, live.id));
  return { ...contents, resources: index < 0 ? [...resources, live] : resources.with(index, live) };
}
