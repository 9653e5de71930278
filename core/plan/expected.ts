import { nameKey } from "../address.ts";
import { withoutElementIds } from "../fields/overlay.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { LiveResource, UnknownService } from "../live/index.ts";

/**
 * A resource as the plan expects it to be at that point: live, made, changed or cloned. It belongs to the planner, which
 * changes it as it plans actions; what is live is only referred to.
 */
export interface Expected {
  readonly kind: Kind;
  name: string;
  /** Known only of live ones. */
  id: string | undefined;
  fields: Fields;
  live: LiveResource | undefined;
  /** The live resource of which it has what hangs on it, until that is among the fields; itself, or the source of a copy. */
  partsFrom: LiveResource | undefined;
  /** The id of the action that makes it. */
  madeBy: string | undefined;
  /** The id of the clone that it comes with. */
  broughtBy: string | undefined;
  /** What it was before it was replaced. */
  replaced: Expected | undefined;
  /** Undefined: it has not been read. */
  contents: ExpectedContents | undefined;
}

/** What a parent is expected to contain: by name, by id, and in order. */
export class ExpectedContents {
  readonly all: Expected[] = [];
  readonly unknown: readonly UnknownService[];
  readonly #byName = new Map<string, Expected[]>();

  constructor(unknown: readonly UnknownService[] = []) {
    this.unknown = unknown;
  }

  add(child: Expected): void {
    this.all.push(child);
    this.#index(child);
  }

  /** Makes a child findable under its new name. */
  rename(child: Expected, name: string): void {
    child.name = name;
    this.#index(child);
  }

  /** All children of that kind and name: more than one where the API has twins. */
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

/** A resource that an action makes, empty. */
export function expectMade(kind: Kind, name: string, fields: Fields, madeBy: string | undefined): Expected {
  return {
    kind,
    name,
    id: undefined,
    fields,
    live: undefined,
    partsFrom: undefined,
    madeBy,
    broughtBy: undefined,
    replaced: undefined,
    contents: new ExpectedContents(),
  };
}

/** A copy that a clone brings along: the same fields under ids that are not known yet. */
export function expectCopy(source: Expected, broughtBy: string): Expected {
  const fields = withoutElementIds(source.kind.fields, source.fields);
  const { kind, name, partsFrom } = source;
  return { ...expectMade(kind, name, fields, undefined), partsFrom, broughtBy };
}
