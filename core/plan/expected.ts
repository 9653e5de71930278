import { nameKey } from "../address.ts";
import { withoutElementIds } from "../fields/overlay.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { LiveResource, UnknownService } from "../live/index.ts";

/** A live resource with what is known of its inside. `children` is undefined while it has not been read. */
export interface LiveNode extends LiveResource {
  children: LiveChildren | undefined;
}

/** The inside of the organization or of a live resource. */
export interface LiveChildren {
  resources: LiveNode[];
  unknown: UnknownService[];
}

/** A resource as the plan expects it to be at that point: live, made, changed or cloned. */
export interface Expected {
  kind: Kind;
  name: string;
  /** Known only of live ones. */
  id: string | undefined;
  fields: Fields;
  live: LiveNode | undefined;
  /** The address of the action that makes it, or of the clone that it comes with; undefined for what is there. */
  madeBy: string | undefined;
  /** What it was before it was replaced. */
  replaced: Expected | undefined;
  inside: Inside;
}

/** What the organization or a resource holds. */
export interface Inside {
  /** Undefined: it exists, but has not been read. */
  children: ExpectedChildren | undefined;
  unknown: UnknownService[];
}

/** Contents by name, by id, and in order. */
export class ExpectedChildren {
  readonly all: Expected[] = [];
  readonly #byName = new Map<string, Expected[]>();

  add(child: Expected): void {
    this.all.push(child);
    this.#index(child);
  }

  /** Makes a child findable under its new name as well. */
  rename(child: Expected, name: string): void {
    child.name = name;
    this.#index(child);
  }

  /** All children of that kind and name: more than one where the API holds twins. */
  find(kind: Kind, name: string): Expected[] {
    return (this.#byName.get(keyOf(kind, name)) ?? []).filter(
      (child) => nameKey(child.name) === nameKey(name),
    );
  }

  findById(kind: Kind, id: string): Expected | undefined {
    return this.all.find((child) => child.kind === kind && child.id === id);
  }

  #index(child: Expected): void {
    const key = keyOf(child.kind, child.name);
    const list = this.#byName.get(key);
    if (list) list.push(child);
    else this.#byName.set(key, [child]);
  }
}

function keyOf(kind: Kind, name: string): string {
  return `${kind.slug}:${nameKey(name)}`;
}

/** What is expected of a live resource before anything is planned. */
export function expectLive(live: LiveNode): Expected {
  return {
    kind: live.kind,
    name: live.name,
    id: live.id,
    fields: live.fields,
    live,
    madeBy: undefined,
    replaced: undefined,
    inside: expectInside(live.children),
  };
}

/** What is expected inside the organization or a live resource. */
export function expectInside(live: LiveChildren | undefined): Inside {
  if (!live) return { children: undefined, unknown: [] };
  const children = new ExpectedChildren();
  for (const child of live.resources) children.add(expectLive(child));
  return { children, unknown: live.unknown };
}

/** A copy that a clone brings along: the same fields under ids that are not known yet. */
export function expectCopy(source: Expected, madeBy: string): Expected {
  return {
    kind: source.kind,
    name: source.name,
    id: undefined,
    fields: withoutElementIds(source.kind.fields, source.fields),
    live: undefined,
    madeBy,
    replaced: undefined,
    inside: { children: new ExpectedChildren(), unknown: [] },
  };
}
