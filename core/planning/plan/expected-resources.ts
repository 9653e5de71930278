import { nameKey } from "../../model/addresses/names.ts";
import { withoutElementIds } from "../../model/fields/overlay.ts";
import type { Fields } from "../../values/json.ts";
import { fieldsIn, type Kind } from "../../model/kinds/index.ts";
import type { LiveResource, UnknownService } from "../../state/live/index.ts";
import { withoutUncopiedParts } from "../../model/parts/index.ts";

/** A resource after the actions planned so far. Only `become` changes it; the live resource stays unchanged. */
export interface ExpectedResource {
  readonly kind: Kind;
  readonly name: string;
  /** Undefined unless the resource is live. */
  readonly id?: string | undefined;
  /** The id by which sibling lists mention this resource. A copy has the id of its source. */
  readonly key: string;
  /** The entry in a list, as far as other resources refer to it. */
  readonly response: Fields;
  readonly fields: Fields;
  readonly live?: LiveResource | undefined;
  /** The live resource whose contents it has, and whose parts, unless they are among its fields: itself, or the source of a copy. */
  readonly origin?: LiveResource | undefined;
  readonly madeBy?: string | undefined;
  readonly madeWith?: string | undefined;
  readonly replaced?: ExpectedResource | undefined;
  readonly contents: ExpectedContents;
}

/** Changes a resource in place, so that earlier references see the change too. */
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
  /** The kinds whose list in this parent has not been read. */
  readonly unread: readonly Kind[];
  /** The resources that were live when they were added. */
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

  /** Makes a resource findable under its new name. */
  rename(child: ExpectedResource, name: string): void {
    become(child, { name });
    this.#index(child);
  }

  /** More than one where the API has duplicates. */
  find(kind: Kind, name: string): ExpectedResource[] {
    return (this.#byName.get(keyOf(kind, name)) ?? []).filter(
      (child) => nameKey(child.name) === nameKey(name),
    );
  }

  /** The live children of that present name, whatever the plan renames. */
  findLive(kind: Kind, name: string): ExpectedResource[] {
    return (this.#byName.get(keyOf(kind, name)) ?? []).filter(
      ({ live }) => live && nameKey(live.name) === nameKey(name),
    );
  }

  /** The resource of an id. */
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

export function expectMade(
  kind: Kind,
  made: Pick<ExpectedResource, "name" | "fields" | "madeBy">,
): ExpectedResource {
  const key = `${kind.slug} ${nameKey(made.name)} of ${made.madeBy}`;
  return { kind, ...made, key, response: {}, contents: new ExpectedContents() };
}

/** The copy that the clone of its parent creates: the same fields under unknown ids. */
export function expectCopy(source: ExpectedResource, madeWith: string): ExpectedResource {
  const fields = withoutUncopiedParts(source.kind, withoutElementIds(source.kind.fields, source.fields));
  const { kind, name, origin, key, response, contents } = source;
  return {
    kind,
    name,
    fields,
    key,
    response,
    origin,
    madeWith,
    contents: new ExpectedContents(
      [],
      contents.unread.filter(({ use }) => use !== "data"),
    ),
  };
}

/** A resource that the server creates with its parent; undefined unless this plan creates the parent. */
export function expectMadeWithParent(
  kind: Kind,
  name: string,
  parent: Pick<ExpectedResource, "id" | "madeBy">,
): ExpectedResource | undefined {
  const response = kind.comesWithParent?.(name);
  if (!response || parent.id !== undefined || parent.madeBy === undefined) return undefined;
  const made = expectMade(kind, { name, fields: fieldsIn(kind, response) });
  return { ...made, response, madeWith: parent.madeBy };
}
