import { type Client, type Clock, pagesBeyondFirst, unexpectedAnswer } from "../../api/index.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import {
  defaultOf,
  listingKey,
  listingsOf,
  type Part,
  type PartListing,
  type PartLists,
  declaredParts,
} from "../../model/parts/index.ts";
import { Cache, type ReadTally } from "./cache.ts";
import type { Freshness, OwnWrites } from "./freshness.ts";
import type { ContentsCache } from "./contents-cache.ts";
import { listKey } from "./contents.ts";
import { hashesIn } from "./cache-files/mask.ts";
import type { PartsCache, ReadList, EndedRun } from "./cache-files/parts-cache.ts";
import type { Lineage } from "./lineage.ts";
import {
  type LivePartOwner,
  readListing,
  responsesOf,
  SharedEntries,
  siblingList,
  withResponses,
} from "./read-parts.ts";
import { absentWhenNotFound, type LiveResource, readOne } from "./resource.ts";

/** How much of the cache was read by earlier runs. */
export interface CacheUse {
  /** The number of resources with cached parts, */
  resources: number;
  /** of so many whose parts are known. */
  of: number;
  /** When the oldest of these lists was read, in milliseconds since 1970 by the clock of the server. */
  oldest: number;
}

/** A list of parts that a run knows. */
interface PartList {
  entries: readonly Fields[];
  /** When it was read, by the clock of the server. */
  at: number;
  /** Absent for a list of an earlier run, which is on disk. */
  listing?: PartListing;
  /** The resource that this run has created. */
  owner?: LiveResource;
}

/** What else a run knows, and what earlier runs have cached. */
interface Surroundings {
  /** Have the lists of siblings, which are shared and therefore never read afresh for one resource. */
  contents: ContentsCache;
  lineage: Lineage;
  writes: OwnWrites;
  defaults: Pick<Cache<readonly Fields[]>, "known">;
  /** On disk; undefined: nothing is cached. */
  cache: PartsCache | undefined;
}

/**
 * The lists of parts that a run knows: read by it, by an earlier run, or told by the answers to the writes of a new resource.
 * Values of lists of earlier runs that no document declares are hashes.
 */
export class KnownParts {
  readonly #lists: Cache<PartList>;
  readonly #shared = new SharedEntries();
  readonly #around: Surroundings;

  /** @param life milliseconds for which a list that was read is known */
  constructor(clock: Clock, life: number, tally: ReadTally, around: Surroundings) {
    this.#lists = new Cache(clock, life, tally);
    this.#around = around;
  }

  /** The lists that have these parts, each read unless this run has; undefined if the resource is gone. @param age how old they may be */
  async read(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    age?: number,
  ): Promise<PartLists | undefined> {
    const { kind, id, parentId } = owner;
    const reading = [...listingsOf(owner, parts)].map(async ([key, listing]) => {
      const place = siblingList(listing, parentId);
      if (place) return [key, responsesOf(await this.#around.contents.readList(client, place))] as const;
      const load = async (): Promise<PartList> => {
        const at = client.serverTime;
        const entries = await readListing(client, listing, owner);
        return { entries: entries.map((entry) => this.#shared.once(entry)), at, listing };
      };
      return [key, (await this.#lists.read(key, load, age, id)).entries] as const;
    });
    const lists = await absentWhenNotFound(Promise.all(reading));
    if (lists) return new Map(lists);
    // A server may lack the path of the list: only a 404 of the resource itself says that the resource is gone.
    if ((await readOne(client, kind, id, parentId)) === undefined) return undefined;
    throw unexpectedAnswer(
      kind.requests.one(id, parentId),
      `the server has the ${kind.name} ${id} and says that its parts do not exist`,
    );
  }

  /** The same, with what earlier runs have read. @param declared the fields of the documents of the resource */
  async recall(
    client: Client,
    owner: LiveResource,
    parts: readonly Part[],
    declared: readonly Fields[],
  ): Promise<PartLists | undefined> {
    const cached = new Map<string, readonly Fields[]>();
    for (const [place, { siblings }] of listingsOf(owner, parts)) {
      const entries = siblings === undefined ? this.#recalled(client, owner, place, declared) : undefined;
      if (entries) cached.set(place, entries);
    }
    const left = parts.filter((part) => !cached.has(listingKey(part.listing(owner.id, owner.parentId))));
    const lists = left.length === 0 ? new Map() : await this.read(client, owner, left);
    return lists && new Map([...cached, ...lists]);
  }

  #recalled(
    client: Client,
    owner: LiveResource,
    place: string,
    declared: readonly Fields[],
  ): readonly Fields[] | undefined {
    const known = this.#lists.get(place);
    if (known?.freshness.because === "read" || this.#lists.isReading(place)) return undefined;
    if (known) return known.value.entries;
    const { cache, defaults } = this.#around;
    const valueOf = valuesIn(owner, place, declared, defaults.known());
    const list = cache?.find(place, owner, client.serverTime, valueOf);
    if (!list) return undefined;
    const { entries, at, isReported } = list;
    this.#lists.enter(place, { entries, at }, isReported ? "reported" : "cached", owner.id);
    return entries;
  }

  /** Whether to recall some parts of a resource sends no request. */
  knows({ serverTime }: Client, owner: LiveResource, parts: readonly Part[]): boolean {
    return [...listingsOf(owner, parts).keys()].every(
      (place) =>
        this.#lists.get(place) !== undefined ||
        this.#around.cache?.find(place, owner, serverTime, () => undefined) !== undefined,
    );
  }

  /** All lists that are known, by their keys. */
  known(): PartLists {
    return new Map(this.#lists.entries().map(({ key, value }) => [key, value.entries]));
  }

  /** The resources whose parts earlier runs have read; undefined if there are none. */
  get extent(): CacheUse | undefined {
    const recalled = this.#ofEarlierRuns();
    if (recalled.length === 0) return undefined;
    return {
      resources: new Set(recalled.map(({ freshness }) => freshness.of)).size,
      of: new Set(this.#lists.freshness().map(({ of }) => of)).size,
      oldest: recalled.reduce((oldest, { value }) => Math.min(oldest, value.at), Infinity),
    };
  }

  /** How fresh is what this run has read of a resource; default: of all. */
  freshness(id?: string): Freshness[] {
    return this.#lists.freshness(id).filter(({ because }) => because === "read");
  }

  /**
   * Forgets the cached parts of the resources of a plan, so that they are read.
   *
   * @param ids of the resources
   * @param losing the resources of which the plan loses something: their parts have to be read, and not told
   * @param shown the text of the plan: no value in it may be a hash
   * @returns whether there were any
   */
  doubt(ids: Iterable<string>, losing: readonly string[], shown: unknown): boolean {
    const hashes = hashesIn(shown);
    const concerned = new Set([...ids].map((id) => id.toLowerCase()));
    const losers = new Set(losing.map((id) => id.toLowerCase()));
    const isShown = (entries: readonly Fields[]) =>
      hashes.size > 0 && [...hashesIn(entries)].some((hash) => hashes.has(hash));
    const doubted = this.#ofEarlierRuns().filter(
      ({ value: { entries }, freshness: { of, because } }) =>
        concerned.has(of) || (because === "reported" && losers.has(of)) || isShown(entries),
    );
    for (const { freshness } of doubted) this.forget(freshness.of);
    return doubted.length > 0;
  }

  /** Enters a list of a resource that this run has created. */
  tell(list: PartList & { owner: LiveResource; listing: PartListing }): void {
    const place = listingKey(list.listing);
    if (!this.#lists.get(place)) this.#lists.enter(place, list, "reported", list.owner.id);
  }

  /** Changes the entries of a list that this run has read; undefined makes it forget the list. */
  change(
    { id, parentId }: LivePartOwner,
    listing: PartListing,
    change: ((listed: readonly Fields[]) => readonly Fields[]) | undefined,
  ): void {
    const { contents } = this.#around;
    const place = siblingList(listing, parentId);
    const key = listingKey(listing);
    this.#lists.forgetOf(id, ({ because }) => because !== "read");
    if (place && change) contents.changeList(place, (listed) => withResponses(listed, change));
    else if (place) contents.forget(listKey(place));
    else if (change) this.#lists.change(key, (list) => ({ ...list, entries: change(list.entries) }));
    else this.#lists.forget(key);
  }

  /** How many requests it takes to read the known lists again, by the id of their resource in lower case. */
  costs(): [id: string, requests: number][] {
    const lists = this.#lists.entries().filter(
      ({ value: { entries, owner }, freshness }) =>
        // A new resource whose document declares no parts needs no list of them.
        freshness.because === "read" || (owner && entries.length > 0),
    );
    return [...Map.groupBy(lists, ({ freshness }) => freshness.of)].map(([id, all]) => [id, all.length]);
  }

  /** How many pages more than one long lists have, by the id of their resource in lower case. */
  morePages(size: number): Map<string, number> {
    const long = new Map<string, number>();
    for (const { value, freshness } of this.#lists.entries()) {
      const pages = pagesBeyondFirst(value.entries.length, size);
      if (pages > 0) long.set(freshness.of, (long.get(freshness.of) ?? 0) + pages);
    }
    return long;
  }

  /** Forgets the lists of a resource, on disk too. */
  forget(id: string): void {
    this.#lists.forgetOf(id);
    this.#around.cache?.forget(id);
  }

  /** Forgets one list of parts. */
  forgetList(listing: PartListing): void {
    this.#lists.forget(listingKey(listing));
    this.#around.cache?.forgetList(listingKey(listing));
  }

  /** Forgets the cached parts that are too old. @param now by the clock of the server */
  forgetAged(now: number): void {
    const { cache } = this.#around;
    for (const { value, freshness } of this.#ofEarlierRuns())
      if (cache && !cache.isYoung(value.at, now)) this.forget(freshness.of);
  }

  /** Forgets all parts that earlier runs have read: events are missing, so any of them may be outdated. */
  forgetAll(): void {
    for (const { freshness } of this.#ofEarlierRuns()) this.#lists.forgetOf(freshness.of);
    this.#around.cache?.forgetAll();
  }

  /** Forgets everything. */
  clear(): void {
    this.#lists.forgetAll();
    this.#around.cache?.forgetAll();
  }

  /** Writes the cache to disk. @param ending of a run that is over: later ones need not read its writes */
  async save(ending?: EndedRun): Promise<void> {
    const { cache, writes } = this.#around;
    const { hasAny, signature } = writes;
    await cache?.save(
      this.#toKeep(),
      ending && hasAny ? { ...ending, ...writes.extent, signature } : undefined,
    );
  }

  /** Stores the cache for later runs, and drops the parts of some resources in this one. */
  setAside(ids: readonly string[]): void {
    this.#around.cache?.keep(this.#toKeep());
    for (const id of ids) this.#lists.forgetOf(id);
  }

  /** Records that the events were read at that time, by the clock of the server, and their resources forgotten. */
  outlasted(time: number): void {
    this.#around.cache?.outlasted(time);
  }

  #ofEarlierRuns() {
    return this.#lists.entries().filter(({ freshness }) => freshness.because !== "read");
  }

  *#toKeep(): Generator<readonly [place: string, list: ReadList]> {
    const { contents, lineage, writes } = this.#around;
    // However long the run takes, later runs know when each list was read.
    const { contents: usual, lists } = contents.lists(Infinity);
    const owners = new Map(
      [...usual.values(), ...lists.values()].flatMap(({ resources }) =>
        resources.map((resource) => [resource.id.toLowerCase(), resource] as const),
      ),
    );
    for (const { key, value, freshness } of this.#lists.entries(undefined, Infinity)) {
      const { of, since, because } = freshness;
      const { entries, at, listing, owner = owners.get(of) } = value;
      const isReported = because === "reported";
      const above = lineage.above(of);
      if (!owner || !listing || (!isReported && writes.isTooEarly(since, [of, ...above]))) continue;
      yield [key, { owner, above, listing, at, entries, isReported }];
    }
  }
}

/** The values that documents declare for an entry of a list of parts, and what it has where nobody sets it. */
function valuesIn(
  { kind, id, parentId }: LiveResource,
  place: string,
  declared: readonly Fields[],
  defaults: PartLists,
) {
  const parts = declaredParts(kind).filter((part) => listingKey(part.listing(id, parentId)) === place);
  return (entry: Fields): Json[] =>
    parts.flatMap((part) => {
      const key = part.keyOf(entry);
      if (key === undefined) return [];
      const entries = declared.map((fields) => own(fields, part.member)).filter(isFields);
      return [...entries.map((each) => own(each, key)), defaultOf(part, defaults, key)].filter(
        (value) => value !== undefined,
      );
    });
}
