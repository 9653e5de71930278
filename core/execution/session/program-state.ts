import { type Fields, own } from "../../values/json.ts";
import type { Kind } from "../../model/kinds/index.ts";
import {
  type Contents,
  isOnDemand,
  type LiveValues,
  listKey,
  type LiveResource,
  withResource,
} from "../../state/live/index.ts";
import { nameKey } from "../../model/addresses/names.ts";
import { unknownValue } from "../../problems/unknown.ts";
import { declaredParts } from "../../model/parts/index.ts";
import type { LiveState } from "../../planning/plan/index.ts";

/** The known state when one resource of a program is planned: its own, its parents, and the lists that were read. All else is unknown. */
export class ProgramState {
  readonly organizationId: string;
  /** The parents, by id. */
  readonly above: ReadonlyMap<string, LiveResource>;
  /** The read parts and defaults of parts, by the keys of their lists. */
  readonly parts = new Map<string, readonly Fields[]>();
  readonly defaults = new Map<string, readonly Fields[]>();
  readonly #now: number;
  readonly #contents = new Map<string, Contents>();
  readonly #lists = new Map<string, Contents>();
  readonly #incomplete = new Set<string>();
  readonly #added: LiveResource[] = [];
  readonly #facts: Pick<LiveState, "shows" | "isUnnamed">;

  /** The parents are from the top down; `facts`: which members the server has shown, and whether only ids of parents are known. */
  constructor(
    organizationId: string,
    above: readonly LiveResource[],
    now = Date.now(),
    facts: Pick<LiveState, "shows" | "isUnnamed"> = {},
  ) {
    this.#facts = facts;
    this.organizationId = organizationId;
    this.above = new Map(above.map((each) => [each.id, each]));
    this.#now = now;
    for (const resource of above) this.add(resource);
  }

  /** Adds a resource without its list, or in another state than in its list. */
  add(resource: LiveResource): void {
    this.#added.push(resource);
    const [lists, key] = this.#placeOf(resource);
    const known = lists.get(key);
    if (!known) this.#incomplete.add(key);
    lists.set(key, withResource(known ?? { resources: [], unknown: [] }, resource));
  }

  enter(kind: Kind | undefined, parentId: string, contents: Contents): void {
    const [lists, key] = kind ? this.#placeOf({ kind, parentId }) : [this.#contents, parentId];
    const others = this.#added.filter((each) => this.#placeOf(each)[1] === key);
    lists.set(key, others.reduce(withResource, contents));
    this.#incomplete.delete(key);
  }

  /**
   * The resources of a list as a preview expects them, each place once: with those that the program makes or renames,
   * without parents and the previewed one.
   *
   * @param made those that the program makes there @param namesOf the names of a resource in the program
   */
  expected(
    listed: readonly LiveResource[],
    made: readonly Pick<LiveResource, "kind" | "name" | "parentId">[],
    parentId: string,
    previewed: Pick<LiveResource, "kind" | "name" | "parentId"> & { existing?: LiveResource },
    namesOf: (id: string) => readonly string[],
  ): LiveResource[] {
    const renamed = listed.flatMap((each) =>
      namesOf(each.id).map((name) => ({ ...each, id: `${unknownValue} ${each.id} ${name}`, name })),
    );
    const unmade = made.map((each) => ({
      ...each,
      id: `${unknownValue} ${each.name}`,
      fields: {},
      response: {},
    }));
    const all = [...listed, ...unmade, ...renamed].map((each) => ({ ...each, parentId }));
    const place = (each: Pick<LiveResource, "kind" | "name" | "parentId">) =>
      `${each.kind.slug} ${each.parentId} ${nameKey(each.name)}`;
    const places = Map.groupBy([...this.above.values(), ...all], place).values();
    const isItself = (each: LiveResource) =>
      place(each) === place(previewed) && (!previewed.existing || each.id.includes(unknownValue));
    return [...places].flatMap(([first]) =>
      first && !this.above.has(first.id) && !isItself(first) ? first : [],
    );
  }

  /** How many lists have been read. */
  get size(): number {
    return this.#contents.size + this.#lists.size + this.parts.size;
  }

  /** Whether a resource is another one, or in it at any level. */
  isWithin(id: string, outerId: string | undefined): boolean {
    const lists = [...this.#contents.values(), ...this.#lists.values()];
    const all = lists.flatMap(({ resources }) => resources);
    const seen = new Set([id]);
    for (const each of seen) {
      if (each === outerId) return true;
      const found = all.find((resource) => resource.id === each);
      if (found) seen.add(found.parentId);
    }
    return false;
  }

  state(): LiveState {
    return {
      organization: { id: this.organizationId },
      now: this.#now,
      contents: new Map(this.#contents),
      lists: new Map(this.#lists),
      parts: new Map(this.parts),
      defaults: new Map(this.defaults),
      statuses: new Map(),
      incomplete: new Set(this.#incomplete),
      unmade: new Set([...this.above.keys()].filter((id) => id.includes(unknownValue))),
      ...this.#facts,
    } satisfies LiveValues & Partial<LiveState>;
  }

  #placeOf({ kind, parentId }: Pick<LiveResource, "kind" | "parentId">): [Map<string, Contents>, string] {
    return isOnDemand(kind) ? [this.#lists, listKey({ kind, parentId })] : [this.#contents, parentId];
  }
}

/** The parents of a resource of which a state has only the id of the parent. */
export function unnamedAbove({ parent }: Kind, parentId: string): LiveResource[] {
  if (!parent) return [];
  const itsParentId = `${parentId} above`;
  const empty = { fields: {}, response: {} };
  return [
    ...unnamedAbove(parent, itsParentId),
    { kind: parent, id: parentId, name: parentId, parentId: itsParentId, ...empty },
  ];
}

/** A resource without parts other than those among its fields. */
export function withEmptyParts(resource: LiveResource): LiveResource {
  const { kind, fields } = resource;
  const undeclared = declaredParts(kind).filter(
    ({ member, form }) => !form.isSingle && own(fields, member) === undefined,
  );
  return {
    ...resource,
    fields: { ...fields, ...Object.fromEntries(undeclared.map(({ member }) => [member, {}])) },
  };
}
