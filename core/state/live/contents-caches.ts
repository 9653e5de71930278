import { type Client, type Clock, pagesBeyondFirst } from "../../api/index.ts";
import { type Kind, listedKinds } from "../../model/kinds/index.ts";
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
import { Cache } from "./cache.ts";
import type { Moment } from "./moment.ts";
import type { ReadTally } from "./tally.ts";
import { withoutResource, withResource } from "./write-effect.ts";

/** The most resources that one request lists. */
const pageSize = 100;

/**
 * The contents of parents: a cache of the contents that are read together, by the id of the parent, and one of the
 * lists that are read on demand only, by their keys. Undefined stands for the contents of a parent that does not exist.
 */
export class ContentsCaches {
  readonly #usual: Cache<Contents | undefined>;
  readonly #lists: Cache<Contents | undefined>;
  readonly #lineage: Lineage;
  readonly #recent: RecentCreations;

  /**
   * @param life milliseconds for which contents are known, from when they have come
   * @param lineage records the parent of each resource
   * @param recent what lists may lack
   */
  constructor(clock: Clock, life: number, tally: ReadTally, lineage: Lineage, recent: RecentCreations) {
    this.#usual = new Cache(clock, life, tally);
    this.#lists = new Cache(clock, life, tally);
    this.#lineage = lineage;
    this.#recent = recent;
  }

  /** The contents known without a request: the usual ones, and the lists that are read on demand. @param life of them */
  known(life?: number): { contents: Map<string, Contents>; lists: Map<string, Contents> } {
    return {
      contents: withoutAbsent(this.#usual.known(life)),
      lists: withoutAbsent(this.#lists.known(life)),
    };
  }

  /**
   * The contents of a parent, except the lists that are read on demand only.
   *
   * @param age milliseconds: how old known ones may be; 0: none
   */
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

  /** The contents of a parent that are in the list of a kind. */
  readList(client: Client, place: ListPlace, age?: number): Promise<Contents | undefined> {
    const { kind, parentId } = place;
    if (!isOnDemand(kind)) return this.read(client, kind.parent, parentId, age);
    const load = () => this.#placed(client, { kinds: [kind], parentId }, readList(client, place));
    return this.#lists.read(listKey(place), load, age);
  }

  /** Reads all that is in a parent, also the lists that are read on demand only; undefined when it does not exist. */
  async readAll(client: Client, parent: Kind, parentId: string): Promise<Contents | undefined> {
    const [usual, ...others] = await Promise.all([
      this.read(client, parent, parentId),
      ...kindsOnDemand(parent).map((kind) => this.readList(client, { kind, parentId })),
    ]);
    return usual && joined(usual, ...others);
  }

  /** Changes the contents that have the resources of a kind, if they are known. */
  change({ kind, parentId }: ListPlace, change: (contents: Contents) => Contents): void {
    const changed = (contents: Contents | undefined) => contents && change(contents);
    if (isOnDemand(kind)) this.#lists.change(listKey({ kind, parentId }), changed);
    else this.#usual.change(parentId, changed);
  }

  /** Enters the contents of a new parent. */
  enter(parentId: string, contents: Contents): void {
    this.#usual.enter(parentId, contents);
  }

  /** Takes a resource out of its parent, whatever its kind. */
  takeOut(parentId: string, id: string): void {
    const without = (contents: Contents | undefined) => contents && withoutResource(contents, id);
    this.#usual.change(parentId, without);
    for (const key of listKeys(parentId)) this.#lists.change(key, without);
  }

  /** How many requests it takes to read what is known of each parent again, by its id in lower case. */
  costs(): Map<string, number> {
    const { contents, lists } = this.known();
    return new Map(
      [...contents].map(([id, { resources, unknown }]) => {
        const onDemand = listKeys(id).filter((key) => lists.has(key)).length;
        return [id.toLowerCase(), 1 + Math.floor((resources.length + unknown.length) / pageSize) + onDemand];
      }),
    );
  }

  /** How many pages more than one the lists of contents have that are longer, by the id of the parent in lower case. */
  morePages(size: number): Map<string, number> {
    return new Map(
      [...this.known().contents].flatMap(([id, { resources, unknown }]) => {
        const pages = pagesBeyondFirst(resources.length + unknown.length, size);
        return pages > 0 ? [[id.toLowerCase(), pages] as const] : [];
      }),
    );
  }

  /** When the reads began of what is known of a parent; default: of all. */
  begun(parentId?: string): Moment[] {
    if (parentId === undefined) return [...this.#usual.begun(), ...this.#lists.begun()];
    return [...this.#usual.begun(parentId), ...listKeys(parentId).flatMap((key) => this.#lists.begun(key))];
  }

  /** What a parent contains is not known any more. */
  forget(parentId: string): void {
    this.#usual.forget(parentId);
    this.forgetLists(parentId);
  }

  /** Forgets the lists of a parent that are read on demand only. */
  forgetLists(parentId: string): void {
    for (const key of listKeys(parentId)) this.#lists.forget(key);
  }

  /** Forgets one list that is read on demand only. */
  forgetList(place: ListPlace): void {
    if (isOnDemand(place.kind)) this.#lists.forget(listKey(place));
  }

  /** Forgets the contents of every parent. */
  forgetAll(): void {
    this.#usual.forgetAll();
    this.#lists.forgetAll();
  }

  /**
   * Adds to the known lists what was created a moment ago and they lack.
   *
   * @returns whether there was anything
   */
  async complete(client: Client): Promise<boolean> {
    const added = await Promise.all(
      this.#recent.places.map(async (place) => {
        const { kind, parentId } = place;
        const known = isOnDemand(kind)
          ? this.#lists.get(listKey(place), Infinity)
          : this.#usual.get(parentId, Infinity);
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

/** The keys of all lists that are read on demand only, as if the parent were of every kind. */
function listKeys(parentId: string): string[] {
  return listedKinds.filter(isOnDemand).map((kind) => listKey({ kind, parentId }));
}

function withoutAbsent<Value>(values: ReadonlyMap<string, Value | undefined>): Map<string, Value> {
  const present = new Map<string, Value>();
  for (const [id, value] of values) if (value !== undefined) present.set(id, value);
  return present;
}
