import { nameKey } from "../../model/addresses/names.ts";
import { withoutElementIds } from "../../model/fields/overlay.ts";
import type { Fields } from "../../values/json.ts";
import { fieldsIn, type Kind } from "../../model/kinds/index.ts";
import type { LiveResource, UnknownService } from "../../state/live/index.ts";
import { withoutUncopiedParts } from "../../model/parts/index.ts";

/**
 * A resource as the plan expects it to be after the actions planned so far: live, created, changed or cloned. Only
 * `become` gives it another state; it refers to the live resource without changing that.
 */
export interface ExpectedResource {
  readonly kind: Kind;
  readonly name: string;
  /** Undefined unless the resource is live. */
  readonly id: string | undefined;
  /** The id under which sibling lists mention this resource. A copy uses the id of its source. */
  readonly key: string;
  /** The entry of a list as it is expected, as far as other resources name it. */
  readonly response: Fields;
  readonly fields: Fields;
  readonly live: LiveResource | undefined;
  /** The live resource whose parts it has as long as they are not among its fields: itself, or the source of a copy. */
  readonly partsFrom: LiveResource | undefined;
  readonly origin: LiveResource | undefined;
  /** The id of the action that creates it. */
  readonly madeBy: string | undefined;
  /** The id of the action that creates it with its parent. */
  readonly madeWith: string | undefined;
  readonly replaced: ExpectedResource | undefined;
  readonly contents: ExpectedContents;
}

/** Gives a resource another state. It stays the same resource: whoever has found it before sees that state too. */
export function become(
  resource: ExpectedResource,
  state: Partial<Omit<ExpectedResource, "kind" | "key">>,
): void {
  Object.assign(resource, state);
}

/** The expected contents of a parent: by name, by id, and in order. */
export class ExpectedContents {
  readonly all: ExpectedResource[] = [];
  readonly unknown: readonly UnknownService[];
  /** Kinds whose list in this parent has not been read. */
  readonly unread: readonly Kind[];
  /** Those that were live when they were added. */
  readonly existing: ExpectedResource[] = [];
  readonly #byName = new Map<string, ExpectedResource[]>();

  constructor(unknown: readonly UnknownService[] = [], unread: readonly Kind[] = []) {
    this.unknown = unknown;
    this.unread = unread;
  }

  /** Adds a resource. */
  add(child: ExpectedResource): void {
    this.all.push(child);
    if (child.live) this.existing.push(child);
    this.#index(child);
  }

  /** Makes a child findable under its new name. */
  rename(child: ExpectedResource, name: string): void {
    become(child, { name });
    this.#index(child);
  }

  /** All children of that kind and name: more than one where the API has duplicates. */
  find(kind: Kind, name: string): ExpectedResource[] {
    return (this.#byName.get(keyOf(kind, name)) ?? []).filter(
      (child) => nameKey(child.name) === nameKey(name),
    );
  }

  /** The live children that have that name on the server now, whatever the plan expects them to be called. */
  findLive(kind: Kind, name: string): ExpectedResource[] {
    return (this.#byName.get(keyOf(kind, name)) ?? []).filter(
      ({ live }) => live && nameKey(live.name) === nameKey(name),
    );
  }

  /** The resource of that id. */
  findById(kind: Kind, id: string): ExpectedResource | undefined {
    return this.all.find((child) => child.kind === kind && child.id === id);
  }

  #index(child: ExpectedResource): void {
    const key = keyOf(child.kind, child.name);
    const list = this.#byName.get(key);
    if (list) list.push(child);
    else this.#byName.set(key, [child]);
  }
}

function keyOf(kind: Kind, name: string): string {
  return `${kind.slug}:${nameKey(name)}`;
}

/** A resource that an action creates, without contents. */
export function expectMade(
  kind: Kind,
  name: string,
  fields: Fields,
  madeBy: string | undefined,
): ExpectedResource {
  return {
    kind,
    name,
    id: undefined,
    key: `${kind.slug} ${nameKey(name)} of ${madeBy}`,
    response: {},
    fields,
    live: undefined,
    partsFrom: undefined,
    origin: undefined,
    madeBy,
    madeWith: undefined,
    replaced: undefined,
    contents: new ExpectedContents(),
  };
}

/** A copy that the clone of its parent creates: the same fields under ids that are not known yet. */
export function expectCopy(source: ExpectedResource, madeWith: string): ExpectedResource {
  const fields = withoutUncopiedParts(source.kind, withoutElementIds(source.kind.fields, source.fields));
  const { kind, name, partsFrom, origin, key, response, contents } = source;
  return {
    ...expectMade(kind, name, fields, undefined),
    key,
    response,
    partsFrom,
    origin,
    madeWith,
    contents: new ExpectedContents(
      [],
      contents.unread.filter(({ use }) => use !== "data"),
    ),
  };
}

/** A resource that the server makes with its parent; undefined where this plan does not create the parent. */
export function expectMadeWithParent(
  kind: Kind,
  name: string,
  parent: Pick<ExpectedResource, "id" | "madeBy">,
): ExpectedResource | undefined {
  const response = kind.comesWithParent?.(name);
  if (!response || parent.id !== undefined || parent.madeBy === undefined) return undefined;
  const fields = fieldsIn(kind, response);
  return { ...expectMade(kind, name, fields, undefined), response, madeWith: parent.madeBy };
}
