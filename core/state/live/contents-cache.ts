import { type Client, type Clock, pagesBeyondFirst } from "../../api/index.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { Cache, type ReadTally } from "./cache.ts";
import {
  type Contents,
  isEmpty,
  isOnDemand,
  joined,
  kindsOnDemand,
  listKey,
  type ListKnowledge,
  type ListPlace,
  readKinds,
  usualKinds,
} from "./contents.ts";
import type { Lineage } from "./lineage.ts";
import { ParentLists, type RecentCreations } from "./recent.ts";
import { type LiveResource, sameId } from "./resource.ts";
import { withoutResource, withResource } from "./write-effect.ts";

/** The most resources that one request lists. */
const pageSize = 100;
/** Milliseconds for which a list tells how many elements others have. */
const listLife = 60_000;

/**
 * The contents of parents, by their ids, and the lists that are read on demand only, by their keys. Undefined stands for the
 * contents of a parent that does not exist.
 */
export class ContentsCache extends Cache<Contents | undefined> {
  readonly #lineage: Lineage;
  readonly #recent: RecentCreations;
  readonly #everRead = new Set<string>();

  /** @param recent what lists may lack */
  constructor(clock: Clock, life: number, tally: ReadTally, lineage: Lineage, recent: RecentCreations) {
    super(clock, life, tally);
    this.#lineage = lineage;
    this.#recent = recent;
  }

  /** The cached contents of parents, and lists on demand. @param life of a list */
  lists(life?: number): { contents: Map<string, Contents>; lists: Map<string, Contents> } {
    const known = [...this.known(life)].flatMap(([key, value]) => (value ? [[key, value] as const] : []));
    return {
      contents: new Map(known.filter(([key]) => !isKeyOfList(key))),
      lists: new Map(known.filter(([key]) => isKeyOfList(key))),
    };
  }

  /**
   * Reads the list of a kind.
   *
   * @param age how old it may be, in milliseconds
   * @param seen ids that an empty list may lack, which has to be proved; it was empty `age` milliseconds ago, unless that is 0
   */
  readList(client: Client, { kind, parentId }: ListPlace, age?: number, seen?: ReadonlySet<string>) {
    const kinds = isOnDemand(kind) ? [kind] : usualKinds(kind.parent);
    return this.#readKinds(client, kind.parent, parentId, kinds, age, seen);
  }

  /** Reads what a parent contains, without the lists on demand. */
  readContents(client: Client, parent: Kind | undefined, parentId: string, age?: number) {
    return this.#readKinds(client, parent, parentId, usualKinds(parent), age);
  }

  #readKinds(
    client: Client,
    parent: Kind | undefined,
    parentId: string,
    kinds: readonly Kind[],
    age: number | undefined,
    seen?: ReadonlySet<string>,
  ): Promise<Contents | undefined> {
    const [kind] = kinds;
    const key = kind && keyOf({ kind, parentId });
    const load = () => {
      const lists = new ParentLists(client, kinds, parentId);
      const named = [...(seen ?? [])].map((id) => id.toLowerCase());
      const mayLack = async (shown: ReadonlySet<string>) => {
        const existing = await this.#recent.existingBeyond(shown, lists);
        return [...new Set([...existing, ...(shown.size === 0 ? named : [])])];
      };
      const knowledge = {
        organizationId: this.#lineage.above(parentId)[parent?.parent ? 1 : 0],
        expected: key === parentId ? this.#expectedIn(parentId) : undefined,
        mayLack,
        empty: emptyOf(age, seen),
      };
      return this.#placed(parentId, lists, readKinds(client, parent, parentId, kinds, knowledge));
    };
    return this.read(key ?? parentId, load, seen ? 0 : age, parentId);
  }

  /** Reads all that is in a parent; undefined when it does not exist. */
  async readAll(client: Client, parent: Kind, parentId: string): Promise<Contents | undefined> {
    const [usual, ...others] = await Promise.all([
      this.readContents(client, parent, parentId),
      ...kindsOnDemand(parent).map((kind) => this.readList(client, { kind, parentId })),
    ]);
    return usual && joined(usual, ...others);
  }

  /** Changes the list of a kind, if it is known. */
  changeList(place: ListPlace, change: (contents: Contents) => Contents): void {
    this.change(keyOf(place), (contents) => contents && change(contents));
  }

  /** How many elements the first reading of the contents of a parent has, as the list of the parent has just shown. */
  #expectedIn(parentId: string): number | undefined {
    if (this.#everRead.has(parentId)) return undefined;
    this.#everRead.add(parentId);
    const above = this.#lineage.parentOf(parentId);
    const beside = above === undefined ? undefined : this.get(above, listLife);
    const its = beside?.value?.resources.find(({ id }) => sameId(id, parentId));
    const [{ counted } = {}] = usualKinds(its?.kind).map(({ listing }) => listing);
    const count = counted && its?.response[counted.member];
    return typeof count === "number" ? count : undefined;
  }

  /** Takes a resource out of its parent, whatever its kind. */
  takeOut(parentId: string, id: string): void {
    this.changeOf(parentId, (contents) => contents && withoutResource(contents, id));
  }

  /** How many requests it takes to read each parent again that is known, by its id in lower case. */
  costs(): Map<string, number> {
    return new Map(
      [...this.lists().contents].map(([id, { resources, unknown }]) => {
        const lists = this.entries(id).filter(({ value }) => value).length;
        return [id.toLowerCase(), lists + Math.floor((resources.length + unknown.length) / pageSize)];
      }),
    );
  }

  /** How many requests more than one it takes to read long lists, and to prove empty ones, by the id of the parent in lower case. */
  morePages(size: number): Map<string, number> {
    return new Map(
      [...this.lists().contents].flatMap(([id, { resources, unknown }]) => {
        const { length } = [...resources, ...unknown];
        const more = length === 0 ? 1 : pagesBeyondFirst(length, size);
        return more > 0 ? [[id.toLowerCase(), more] as const] : [];
      }),
    );
  }

  /** Forgets the lists of a parent that are read on demand only. */
  forgetLists(parentId: string): void {
    this.forgetOf(parentId, (_freshness, key) => isKeyOfList(key));
  }

  /** Adds new resources that the cached lists lack. Returns whether there were any. */
  async complete(client: Client): Promise<boolean> {
    const added = await Promise.all(
      this.#recent.places.map(async (place) => {
        const { kind, parentId } = place;
        const known = this.get(keyOf(place), Infinity);
        if (!known?.value) return false;
        const lacked = await this.#recent.lackedBy(known.value, new ParentLists(client, [kind], parentId));
        this.changeList(place, (contents) => filled(contents, lacked));
        for (const { id } of lacked) this.#lineage.place(id, parentId);
        return lacked.length > 0;
      }),
    );
    return added.includes(true);
  }

  async #placed(
    parentId: string,
    lists: ParentLists,
    reading: Promise<Contents | undefined>,
  ): Promise<Contents | undefined> {
    const listed = await reading;
    const lacked = listed ? await this.#recent.lackedBy(listed, lists) : [];
    const contents = listed && filled(listed, lacked);
    // The organization has no parent, although it is in a list of its own.
    for (const { id } of contents?.resources ?? [])
      if (!sameId(id, parentId)) this.#lineage.place(id, parentId);
    return contents;
  }
}

/** Contents with the resources that their list lacked. */
function filled(contents: Contents, lacked: readonly LiveResource[]): Contents {
  const isFilled = lacked.length > 0 && isEmpty(contents);
  return lacked.reduce(withResource, isFilled ? { ...contents, isFilled } : contents);
}

function emptyOf(age: number | undefined, seen: ReadonlySet<string> | undefined): ListKnowledge["empty"] {
  if (seen) return age === 0 ? "proved" : "known";
  return age === 0 ? "believed" : undefined;
}

function keyOf(place: ListPlace): string {
  return isOnDemand(place.kind) ? listKey(place) : place.parentId;
}

/** No id has a blank. */
function isKeyOfList(key: string): boolean {
  return key.includes(" ");
}
