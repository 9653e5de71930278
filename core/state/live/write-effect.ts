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

/** The resources of lists by their ids in lower case. A list that a write makes of another one takes its index over. */
const indices = new WeakMap<readonly LiveResource[], Map<string, LiveResource>>();

function indexOf(resources: readonly LiveResource[]): Map<string, LiveResource> {
  const known = indices.get(resources);
  if (known) return known;
  const index = new Map(resources.map((resource) => [resource.id.toLowerCase(), resource]));
  indices.set(resources, index);
  return index;
}

/** The resource of an id in contents. */
export function resourceIn({ resources }: Contents, id: string): LiveResource | undefined {
  return indexOf(resources).get(id.toLowerCase());
}

/** Contents with a resource in the place of the one of its id, or behind the others. */
export function withResource(contents: Contents, live: LiveResource): Contents {
  const before = resourceIn(contents, live.id);
  const { resources } = contents;
  return changed(
    contents,
    before ? resources.with(resources.indexOf(before), live) : [...resources, live],
    (index) => index.set(live.id.toLowerCase(), live),
  );
}

/** Contents without the resource of an id. */
export function withoutResource(contents: Contents, id: string): Contents {
  const gone = resourceIn(contents, id);
  if (!gone) return contents;
  const { resources } = contents;
  return changed(contents, resources.toSpliced(resources.indexOf(gone), 1), (index) =>
    index.delete(id.toLowerCase()),
  );
}

function changed(
  contents: Contents,
  resources: readonly LiveResource[],
  change: (index: Map<string, LiveResource>) => unknown,
): Contents {
  const index = indexOf(contents.resources);
  change(index);
  indices.delete(contents.resources);
  indices.set(resources, index);
  return { ...contents, resources };
}
