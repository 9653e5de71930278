import type { Fields } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import type { Contents } from "./contents.ts";
import { isWhole, type LiveResource, parentIdIn, sameId, toLive } from "./resource.ts";

/** The result of a write inside a parent. */
export interface WriteEffect {
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
  { id, response }: NonNullable<WriteEffect["there"]>,
): LiveResource | undefined {
  if (!response || !isWhole(kind, response)) return undefined;
  const live = toLive(kind, response, parentId);
  const itsParent = parentIdIn(kind, response);
  // The answers about what the organization contains may not name the organization: it stands in the path.
  const isInParent = itsParent === undefined ? !kind.parent : sameId(itsParent, parentId);
  const isAboutIt = sameId(live.id, id) && isInParent;
  return isAboutIt ? live : undefined;
}

/** The resource of an id in contents. */
export function resourceIn({ resources }: Contents, id: string): LiveResource | undefined {
  return resources[indexOf(resources, id)];
}

/** Contents with a resource in the place of the one of its id, or behind the others. */
export function withResource(contents: Contents, live: LiveResource): Contents {
  const { resources } = contents;
  const index = indexOf(resources, live.id);
  return { ...contents, resources: index < 0 ? [...resources, live] : resources.with(index, live) };
}

/** Contents without the resource of an id. */
export function withoutResource(contents: Contents, id: string): Contents {
  const index = indexOf(contents.resources, id);
  return index < 0 ? contents : { ...contents, resources: contents.resources.toSpliced(index, 1) };
}

function indexOf(resources: readonly LiveResource[], id: string): number {
  const key = id.toLowerCase();
  return resources.findIndex((resource) => resource.id === id || resource.id.toLowerCase() === key);
}
