import { type Client, type Clock, pagesBeyondFirst } from "../../api/index.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { Cache, type Freshness, type ReadTally } from "./cache.ts";
import {
  type Contents,
  isOnDemand,
  joined,
  kindsOnDemand,
  listKey,
  type ListPlace,
  readContents,
  readList,
  usualKinds,
} from "./contents.ts";
import type { Lineage } from "./lineage.ts";
import type { RecentCreations } from "./recent.ts";
import { sameId } from "./resource.ts";
import { withoutResource, withResource } from "./write-effect.ts";

/** The most resources that one request lists. */
const pageSize = 100;

/**
 * The contents of parents, by their ids, and the lists that are read on demand only, by their keys. Undefined stands for the
 * contents of a parent that does not exist.
 */
export class ContentsCaches {
  readonly #usual: Cache<Contents | undefined>;
  readonly #lists: Cache<Contents | undefined>;
  readonly #lineage: Lineage;
  readonly #recent: RecentCreations;

  /** @param recent what lists may lack */
  constructor(clock: Clock, life: number, tally: ReadTally, lineage: Lineage, recent: RecentCreations) {
    this.#usual = new Cache(clock, life, tally);
    this.#lists = new Cache(clock, life, tally);
    this.#lineage = lineage;
    this.#recent = recent;
  }

  /** What is known. @param life of it */
  known(life?: number): { contents: Map<string, Contents>; lists: Map<string, Contents> } {
    return {
      contents: withoutAbsent(this.#usual.known(life)),
      lists: withoutAbsent(this.#lists.known(life)),
    };
  }

  /** Reads what a parent contains, without the lists on demand. @param age how old it may be, in milliseconds */
  read(
    client: Client,
    parent: Kind | undefined,
    parentId: string,
    age?: number,
  ): Promise<Contents | undefined> {
    const load = () =>
      this.#placed(client, { kinds: usualKinds(parent), parentId }, readContents(client, parent, parentId));
    return this.#usual.read(parentId, load, age);
  }

  /** Reads the list of a kind. */
  readList(client: Client, place: ListPlace, age?: number): Promise<Contents | undefined> {
    const { kind, parentId } = place;
    if (!isOnDemand(kind)) return this.read(client, kind.parent, parentId, age);
    const load = () => this.#placed(client, { kinds: [kind], parentId }, readList(client, place));
    return this.#lists.read(listKey(place), load, age, parentId);
  }

  /** Reads all that is in a parent; undefined when it does not exist. */
  async readAll(client: Client, parent: Kind, parentId: string): Promise<Contents | undefined> {
    const [usual, ...others] = await Promise.all([
      this.read(client, parent, parentId),
      ...kindsOnDemand(parent).map((kind) => this.readList(client, { kind, parentId })),
    ]);
    return usual && joined(usual, ...others);
  }

  /** Changes the list of a kind, if it is known. */
  change(place: ListPlace, change: (contents: Contents) => Contents): void {
    this.#cacheOf(place).change(keyOf(place), (contents) => contents && change(contents));
  }

  /** Enters the contents of a new parent. */
  enter(parentId: string, contents: Contents): void {
    this.#usual.enter(parentId, contents);
  }

  /** Takes a resource out of its parent, whatever its kind. */
  takeOut(parentId: string, id: string): void {
    for (const cache of [this.#usual, this.#lists])
      cache.changeOf(parentId, (contents) => contents && withoutResource(contents, id));
  }

  /** How many requests it takes to read each parent again that is known, by its id in lower case. */
  costs(): Map<string, number> {
    return new Map(
      [...this.known().contents].map(([id, { resources, unknown }]) => {
        const onDemand = this.#lists.entries(id).filter(({ value }) => value).length;
        return [id.toLowerCase(), 1 + Math.floor((resources.length + unknown.length) / pageSize) + onDemand];
      }),
    );
  }

  /** How many pages more than one long lists have, by the id of the parent in lower case. */
  morePages(size: number): Map<string, number> {
    return new Map(
      [...this.known().contents].flatMap(([id, { resources, unknown }]) => {
        const pages = pagesBeyondFirst(resources.length + unknown.length, size);
        return pages > 0 ? [[id.toLowerCase(), pages] as const] : [];
      }),
    );
  }

  /** How fresh is what is known of a parent; default: of all. */
  freshness(parentId?: string): Freshness[] {
    return [...this.#usual.freshness(parentId), ...this.#lists.freshness(parentId)];
  }

  /** Forgets what a parent contains. */
  forget(parentId: string): void {
    this.#usual.forget(parentId);
    this.forgetLists(parentId);
  }

  /** Forgets the lists of a parent that are read on demand only. */
  forgetLists(parentId: string): void {
    this.#lists.forgetOf(parentId);
  }

  /** Forgets a list that is read on demand only. */
  forgetList(place: ListPlace): void {
    this.#lists.forget(listKey(place));
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#usual.forgetAll();
    this.#lists.forgetAll();
  }

  /** Adds to the known lists what was created a moment ago and they lack. Returns whether there was anything. */
  async complete(client: Client): Promise<boolean> {
    const added = await Promise.all(
      this.#recent.places.map(async (place) => {
        const { kind, parentId } = place;
        const known = this.#cacheOf(place).get(keyOf(place), Infinity);
        if (!known?.value) return false;
        const lacked = await this.#recent.lackedBy(known.value, client, { kinds: [kind], parentId });
        for (const live of lacked) {
          this.change(place, (contents) => withResource(contents, live));
          this.#lineage.place(live.id, parentId);
        }
        return lacked.length > 0;
      }),
    );
    return added.includes(true);
  }

  #cacheOf({ kind }: ListPlace): Cache<Contents | undefined> {
    return isOnDemand(kind) ? this.#lists : this.#usual;
  }

  async #placed(
    client: Client,
    place: { kinds: readonly Kind[]; parentId: string },
    reading: Promise<Contents | undefined>,
  ): Promise<Contents | undefined> {
    const listed = await reading;
    const lacked = listed ? await this.#recent.lackedBy(listed, client, place) : [];
    const contents = listed && lacked.reduce(withResource, listed);
    // The organization has no parent, although it is in a list of its own.
    for (const { id } of contents?.resources ?? [])
      if (!sameId(id, place.parentId)) this.#lineage.place(id, place.parentId);
    return contents;
  }
}

function keyOf(place: ListPlace): string {
  return isOnDemand(place.kind) ? listKey(place) : place.parentId;
}

function withoutAbsent<Value>(values: ReadonlyMap<string, Value | undefined>): Map<string, Value> {
  const present = new Map<string, Value>();
  for (const [id, value] of values) if (value !== undefined) present.set(id, value);
  return present;
}
