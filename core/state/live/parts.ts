import { type Client, type Clock, pagesBeyondFirst, UnexpectedAnswerError } from "../../api/index.ts";
import { type Fields, isFields } from "../../values/json.ts";
import { kindOf } from "../../model/kinds/index.ts";
import {
  listingKey,
  listingsOf,
  type Part,
  type PartListing,
  type PartLists,
} from "../../model/parts/index.ts";
import type { Contents, ListPlace } from "./contents.ts";
import type { ContentsCaches } from "./contents-caches.ts";
import { absentWhenNotFound, type LiveResource, readOne } from "./resource.ts";
import { Cache } from "./cache.ts";
import { type Moment, momentNow } from "./moment.ts";
import type { ReadTally } from "./tally.ts";

/** A resource that has parts. */
export type LivePartOwner = Pick<LiveResource, "kind" | "id" | "parentId">;

/** A list that is remembered from an earlier run; values that its documents do not state are hashed. */
export interface RememberedList {
  entries: readonly Fields[];
  /** When it was read, in milliseconds since 1970 by the clock of the server. */
  at: number;
  /** It was never read: its entries are those of a new resource, as the answers to its own writes tell them. */
  isTold?: boolean;
}

/** The same in this run. */
export interface RunList extends RememberedList {
  owner: LiveResource;
  listing: PartListing;
}

/** A list that this run has read. */
export interface ReadListing {
  ownerId: string;
  listing: PartListing;
  at: number;
  begun: Moment;
}

/**
 * The lists of parts of resources: a cache for each resource, with each of its lists. Beside them, lists that are
 * remembered from an earlier run, which only plans see.
 */
export class PartCaches {
  readonly #clock: Clock;
  readonly #life: number;
  readonly #tally: ReadTally;
  readonly #contents: ContentsCaches;
  readonly #caches = new Map<string, Cache<readonly Fields[]>>();
  /** The lists that have been read, by the ids of their resources and their keys. */
  readonly #readings = new Map<string, Map<string, ReadListing>>();
  /** The lists that are remembered, by the ids of their resources and their keys. */
  readonly #remembered = new Map<string, Map<string, RememberedList>>();
  /** The lists that the answers to writes of this run have told, and that were not read. */
  readonly #told = new Map<string, Map<string, RunList>>();
  /** The entries of all lists by their ids: the API says of each service what it says of its siblings, with the same entries. */
  readonly #entries = new Map<unknown, WeakRef<Fields>>();
  readonly #unused = new FinalizationRegistry((id) => this.#entries.delete(id));

  /**
   * @param life milliseconds for which a list is known, from when it has come
   * @param contents have the lists of siblings, which are shared and therefore never read afresh for one resource
   */
  constructor(clock: Clock, life: number, contents: ContentsCaches, tally: ReadTally) {
    this.#clock = clock;
    this.#contents = contents;
    this.#life = life;
    this.#tally = tally;
  }

  /** The lists that have these parts, each read unless it is remembered; undefined if the resource is gone. */
  async recall(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    find: (place: string, listing: PartListing) => RememberedList | undefined,
  ): Promise<PartLists | undefined> {
    const id = owner.id.toLowerCase();
    const found = new Map<string, readonly Fields[]>();
    const left = parts.filter((part) => {
      const listing = part.listing(owner.id, owner.parentId);
      const place = listingKey(listing);
      if (found.has(place)) return false;
      const isRead = this.#caches.get(id)?.get(place) !== undefined;
      const remembered = this.#remembered.get(id) ?? new Map<string, RememberedList>();
      const list =
        isRead || listing.siblings !== undefined
          ? undefined
          : (remembered.get(place) ?? find(place, listing));
      if (!list) return true;
      this.#remembered.set(id, remembered.set(place, list));
      found.set(place, list.entries);
      return false;
    });
    const lists = left.length === 0 ? new Map() : await this.read(client, owner, left);
    return lists && new Map([...found, ...lists]);
  }

  /** The ids of the resources whose lists are remembered, and when the oldest of these was read. */
  get remembered(): { ids: ReadonlySet<string>; oldest: number; of: number } {
    const lists = [...this.#remembered.values()].flatMap((each) => [...each.values()]);
    const all = new Set([...this.#remembered.keys(), ...this.#readings.keys()]);
    return {
      ids: new Set(this.#remembered.keys()),
      oldest: Math.min(...lists.map(({ at }) => at)),
      of: all.size,
    };
  }

  /** The ids of the resources with a remembered list of a time that is wanted. */
  rememberedAt(isWanted: (at: number) => boolean): string[] {
    return [...this.#remembered].flatMap(([id, lists]) =>
      [...lists.values()].some(({ at }) => isWanted(at)) ? [id] : [],
    );
  }

  /** The ids of the resources whose remembered lists have one of these hashes. */
  withHashes(hashes: ReadonlySet<string>): string[] {
    return [...this.#remembered].flatMap(([id, lists]) => {
      const found = [...hashesIn([...lists.values()])];
      return found.some((hash) => hashes.has(hash)) ? [id] : [];
    });
  }

  /** Whether the lists that have these parts are known, or remembered. @param find whether a list is remembered */
  knows(owner: LivePartOwner, parts: readonly Part[], find: (place: string) => boolean): boolean {
    const id = owner.id.toLowerCase();
    return [...listingsOf(owner, parts).keys()].every(
      (place) =>
        this.#caches.get(id)?.get(place) !== undefined ||
        this.#remembered.get(id)?.has(place) === true ||
        find(place),
    );
  }

  /** Enters a list of a resource that this run has created. */
  tell(list: RunList): void {
    const id = list.owner.id.toLowerCase();
    const place = listingKey(list.listing);
    for (const lists of [this.#told, this.#remembered] as Map<string, Map<string, RememberedList>>[])
      lists.set(id, (lists.get(id) ?? new Map<string, RememberedList>()).set(place, list));
  }

  /** The lists that were told and not read, by their keys. */
  *told(): Generator<readonly [place: string, list: RunList]> {
    for (const lists of this.#told.values()) yield* lists;
  }

  /** Whether a list of a resource is remembered that was never read. */
  isTold(id: string): boolean {
    return [...(this.#remembered.get(id.toLowerCase())?.values() ?? [])].some(({ isTold }) => isTold);
  }

  /** When the reads began of what is known of a resource; default: of all. */
  begun(id?: string): Moment[] {
    if (id === undefined) return [...this.#caches.values()].flatMap((cache) => cache.begun());
    return this.#caches.get(id.toLowerCase())?.begun() ?? [];
  }

  /** All lists that have been read and not forgotten, however old, by their keys. */
  *readings(): Generator<readonly [place: string, reading: ReadListing & { entries: readonly Fields[] }]> {
    for (const [id, lists] of this.#readings)
      for (const [place, reading] of lists) {
        const known = this.#caches.get(id)?.get(place, Infinity);
        if (known) yield [place, { ...reading, entries: known.value }];
      }
  }

  /** Changes the entries of a list that is known or being read; undefined makes it forget the list. */
  change(
    { id, parentId }: LivePartOwner,
    listing: PartListing,
    change: ((listed: readonly Fields[]) => readonly Fields[]) | undefined,
  ): void {
    const cache = this.#caches.get(id.toLowerCase());
    const place = placeOf(listing, parentId);
    this.#remembered.delete(id.toLowerCase());
    this.#told.delete(id.toLowerCase());
    if (place && change) this.#contents.change(place, (contents) => withResponses(contents, change));
    else if (place) this.#contents.forgetList(place);
    else if (change) cache?.change(listingKey(listing), change);
    else cache?.forget(listingKey(listing));
  }

  /** How many requests it takes to read the lists of each resource again that are known, by its id in lower case. */
  costs(): [id: string, requests: number][] {
    return [
      ...[...this.#caches].map(([id, cache]) => [id, cache.known().size] as [string, number]),
      ...[...this.#told].map(([id, lists]) => [id, countOfFilled(lists)] as [string, number]),
    ];
  }

  /** How many pages more than one the lists of parts have that are longer, by the id of their resource in lower case. */
  morePages(size: number): Map<string, number> {
    const long = new Map<string, number>();
    const enter = (id: string, length: number) => {
      const pages = pagesBeyondFirst(length, size);
      if (pages > 0) long.set(id, (long.get(id) ?? 0) + pages);
    };
    for (const [id, cache] of this.#caches) for (const list of cache.known().values()) enter(id, list.length);
    for (const [id, lists] of this.#remembered)
      for (const { entries } of lists.values()) enter(id, entries.length);
    return long;
  }

  /** Forgets the lists of a resource. */
  forget(id: string): void {
    this.#caches.delete(id.toLowerCase());
    this.#readings.delete(id.toLowerCase());
    this.#remembered.delete(id.toLowerCase());
    this.#told.delete(id.toLowerCase());
  }

  /** Forgets one list of a resource. */
  forgetList(id: string, place: string): void {
    const key = id.toLowerCase();
    this.#caches.get(key)?.forget(place);
    for (const lists of [this.#readings, this.#remembered, this.#told]) lists.get(key)?.delete(place);
  }

  /** Forgets the lists of every resource. */
  forgetAll(): void {
    this.#caches.clear();
    this.#readings.clear();
    this.#remembered.clear();
    this.#told.clear();
  }

  /** All lists that are known, those of earlier runs too, by their keys. */
  known(): PartLists {
    const remembered = [...this.#remembered.values()].flatMap((lists) =>
      [...lists].map(([place, { entries }]) => [place, entries] as const),
    );
    return new Map([...remembered, ...[...this.#caches.values()].flatMap((cache) => [...cache.known()])]);
  }

  /**
   * The lists that have these parts, each read if it is not known; undefined if the resource is gone.
   *
   * @param age milliseconds: how old known ones may be; 0: none
   */
  async read(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    age?: number,
  ): Promise<PartLists | undefined> {
    const { kind, id, parentId } = owner;
    const cache = this.#cacheOf(id);
    const reading = [...listingsOf(owner, parts)].map(async ([key, listing]) => {
      const place = placeOf(listing, parentId);
      const load = () => {
        this.#enter({ ownerId: id, listing, at: client.serverTime, begun: momentNow(this.#clock) }, key);
        return readListing(client, listing).then((entries) => entries.map((entry) => this.#once(entry)));
      };
      return [
        key,
        place ? responsesOf(await this.#contents.readList(client, place)) : await cache.read(key, load, age),
      ] as const;
    });
    const lists = await absentWhenNotFound(Promise.all(reading));
    if (lists) return new Map(lists);
    // A server may lack the path of the list: only a 404 of the resource itself says that the resource is gone.
    if ((await readOne(client, kind, id, parentId)) === undefined) return undefined;
    throw new UnexpectedAnswerError(
      `the server has the ${kind.name} ${id} and says that its parts do not exist`,
      { method: "GET", path: kind.requests.one(id, parentId), advice: "check the base URL" },
    );
  }

  /** The entry as another list has it, if that is the same: so it is kept once. */
  #once(entry: Fields): Fields {
    const known = this.#entries.get(entry["id"])?.deref();
    if (known && isSameEntry(known, entry)) return known;
    this.#entries.set(entry["id"], new WeakRef(entry));
    this.#unused.register(entry, entry["id"]);
    return entry;
  }

  #enter(reading: ReadListing, place: string): void {
    const id = reading.ownerId.toLowerCase();
    this.#readings.set(id, (this.#readings.get(id) ?? new Map<string, ReadListing>()).set(place, reading));
    this.#remembered.get(id)?.delete(place);
    this.#told.get(id)?.delete(place);
  }

  #cacheOf(id: string): Cache<readonly Fields[]> {
    const key = id.toLowerCase();
    const cache = this.#caches.get(key) ?? new Cache<readonly Fields[]>(this.#clock, this.#life, this.#tally);
    this.#caches.set(key, cache);
    return cache;
  }
}

function isSameEntry(one: Fields, other: Fields): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}

/** The form of a hash in the place of a value; it may stand in the middle of a text. */
const hashPattern = /\0[\w-]+/g;

/** The hashes of values that are anywhere in something. Each object in it is visited once: a text of all would be too long. */
export function hashesIn(something: unknown): Set<string> {
  const found = new Set<string>();
  const visited = new Set<object>();
  const visit = (value: unknown): void => {
    if (typeof value === "string") for (const hash of value.match(hashPattern) ?? []) found.add(hash);
    if (typeof value !== "object" || value === null || visited.has(value)) return;
    visited.add(value);
    for (const [key, inner] of Object.entries(value)) {
      visit(key);
      visit(inner);
    }
  };
  visit(something);
  return found;
}

/** A new resource whose document states no parts needs no list of them. */
function countOfFilled(lists: ReadonlyMap<string, RunList>): number {
  return [...lists.values()].filter(({ entries }) => entries.length > 0).length;
}

function placeOf({ siblings }: PartListing, parentId: string): ListPlace | undefined {
  return siblings === undefined ? undefined : { kind: kindOf(siblings), parentId };
}

function responsesOf(contents: Contents | undefined): Fields[] {
  return (contents?.resources ?? []).map(({ response }) => response);
}

function withResponses(
  contents: Contents,
  change: (responses: readonly Fields[]) => readonly Fields[],
): Contents {
  const changed = new Map(change(responsesOf(contents)).map((response) => [response["id"], response]));
  const resources = contents.resources.map((resource) => ({
    ...resource,
    response: changed.get(resource.id) ?? resource.response,
  }));
  return { ...contents, resources };
}

/** The entries of a list of parts: one request. */
export async function readListing(
  client: Client,
  { path, query, entriesIn }: PartListing,
): Promise<Fields[]> {
  if (!entriesIn) return (await client.list(path, query)).filter((entry) => isFields(entry));
  const answer = await client.get(path, query);
  if (isFields(answer)) return entriesIn(answer);
  throw new UnexpectedAnswerError("the server answers with a value that is not an object", {
    method: "GET",
    path,
    advice: "check the base URL",
  });
}
