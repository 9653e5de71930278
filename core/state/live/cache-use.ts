import type { Client } from "../../api/index.ts";
import { type Fields, isFields, type Json, own } from "../../values/json.ts";
import {
  defaultOf,
  listingKey,
  type Part,
  type PartListing,
  type PartLists,
  statedParts,
} from "../../model/parts/index.ts";
import type { Cache } from "./cache.ts";
import type { ContentsCaches } from "./contents-caches.ts";
import type { PartsCache, ReadList, RememberedRun } from "./kept/parts-cache.ts";
import type { Lineage } from "./lineage.ts";
import type { OwnWrites } from "./own-writes.ts";
import { hashesIn, type PartCaches } from "./parts.ts";
import type { LiveResource } from "./resource.ts";

/** How much of what is known was read by earlier runs. */
export interface CacheUse {
  /** The number of resources whose parts are remembered, */
  resources: number;
  /** of so many whose parts are known. */
  of: number;
  /** When the oldest of these lists was read, in milliseconds since 1970 by the clock of the server. */
  oldest: number;
}

/** The parts that earlier runs have read, and for how long they are believed. */
export class RememberedParts {
  readonly #parts: PartCaches;
  readonly #contents: ContentsCaches;
  readonly #lineage: Lineage;
  readonly #writes: OwnWrites;
  readonly #defaults: Pick<Cache<readonly Fields[]>, "known">;
  readonly #kept: PartsCache | undefined;

  /** @param kept the parts on disk; undefined if nothing is remembered */
  constructor(
    parts: PartCaches,
    contents: ContentsCaches,
    lineage: Lineage,
    writes: OwnWrites,
    defaults: Pick<Cache<readonly Fields[]>, "known">,
    kept: PartsCache | undefined,
  ) {
    this.#writes = writes;
    this.#defaults = defaults;
    this.#parts = parts;
    this.#contents = contents;
    this.#lineage = lineage;
    this.#kept = kept;
  }

  /** The lists of some parts of a resource, each read unless it is remembered; undefined if the resource is gone. */
  recall(
    client: Client,
    owner: LiveResource,
    parts: readonly Part[],
    stated: readonly Fields[],
  ): Promise<PartLists | undefined> {
    return this.#parts.recall(client, owner, parts, (place) =>
      this.#kept?.find(
        place,
        owner,
        client.serverTime,
        valuesIn(owner, place, stated, this.#defaults.known()),
      ),
    );
  }

  /** Whether some parts of a resource are known, or remembered: to recall them sends no request. */
  knows(client: Client, owner: LiveResource, parts: readonly Part[]): boolean {
    return this.#parts.knows(
      owner,
      parts,
      (place) => this.#kept?.find(place, owner, client.serverTime, () => undefined) !== undefined,
    );
  }

  /** The resources whose parts are remembered from earlier runs; undefined if none are remembered. */
  get extent(): CacheUse | undefined {
    const { ids, oldest, of } = this.#parts.remembered;
    return ids.size === 0 ? undefined : { resources: ids.size, of, oldest };
  }

  /**
   * Forgets the remembered parts of the resources of a plan, so that they are read.
   *
   * @param ids of the resources
   * @param losing the resources of which the plan loses something: what was only told of them is no reading
   * @param shown the text of the plan: no value in it may be a hash
   * @returns whether there were any
   */
  doubt(ids: Iterable<string>, losing: readonly string[], shown: unknown): boolean {
    const { ids: remembered } = this.#parts.remembered;
    const hashes = hashesIn(shown);
    const owners = hashes.size === 0 ? [] : this.#parts.withHashes(hashes);
    const told = losing.filter((id) => this.#parts.isTold(id));
    const about = [...ids, ...owners, ...told]
      .map((id) => id.toLowerCase())
      .filter((id) => remembered.has(id));
    for (const id of about) this.forget(id);
    return about.length > 0;
  }

  /** Forgets the parts that are remembered for too long. @param now by the clock of the server */
  forgetAged(now: number): void {
    const kept = this.#kept;
    if (!kept) return;
    for (const id of this.#parts.rememberedAt((at) => !kept.isYoung(at, now))) this.forget(id);
  }

  /** Forgets all parts that earlier runs have read: events are missing, so any of them may be outdated. */
  forgetAll(): void {
    for (const id of this.#parts.remembered.ids) this.#parts.forget(id);
    this.#kept?.forgetAll();
  }

  /**
   * Writes down the parts that have been read, for later runs.
   *
   * @param ending undefined if the run goes on. Of one that is over, later ones need not read what it has written
   */
  async save(ending?: RememberedRun): Promise<void> {
    const { hasAny, signature } = this.#writes;
    await this.#kept?.save(this.#readLists(), ending && hasAny ? { ...ending, signature } : undefined);
  }

  /** Keeps for later runs what has been read, and forgets the parts of some resources in this one. */
  setAside(ids: readonly string[]): void {
    this.#kept?.keep(this.#readLists());
    for (const id of ids) this.#parts.forget(id);
  }

  /** Records that the events were read at that time, by the clock of the server, and their resources forgotten. */
  outlasted(time: number): void {
    this.#kept?.outlasted(time);
  }

  /** Forgets the lists of a resource. */
  forget(id: string): void {
    this.#parts.forget(id);
    this.#kept?.forget(id);
  }

  /** Forgets one list of a resource. */
  forgetList(id: string, listing: PartListing): void {
    this.#parts.forgetList(id, listingKey(listing));
    this.#kept?.forgetList(listingKey(listing));
  }

  *#readLists(): Generator<readonly [place: string, list: ReadList]> {
    // However long the run takes, later runs know when each list was read.
    const { contents, lists } = this.#contents.known(Infinity);
    const owners = new Map(
      [...contents.values(), ...lists.values()].flatMap(({ resources }) =>
        resources.map((resource) => [resource.id.toLowerCase(), resource] as const),
      ),
    );
    for (const [place, { ownerId, ...list }] of this.#parts.readings()) {
      const owner = owners.get(ownerId.toLowerCase());
      const above = this.#lineage.above(ownerId);
      const isDoubtful = this.#writes.isTooEarly(list.begun, [ownerId, ...above]);
      if (owner && !isDoubtful) yield [place, { ...list, owner, above }];
    }
    for (const [place, list] of this.#parts.told())
      yield [place, { ...list, above: this.#lineage.above(list.owner.id) }];
  }
}

/** The values that documents state for an entry of a list of parts, and what it has where nobody sets it. */
function valuesIn(
  { kind, id, parentId }: LiveResource,
  place: string,
  stated: readonly Fields[],
  defaults: PartLists,
) {
  const parts = statedParts(kind).filter((part) => listingKey(part.listing(id, parentId)) === place);
  return (entry: Fields): Json[] =>
    parts.flatMap((part) => {
      const key = part.keyOf(entry);
      if (key === undefined) return [];
      const entries = stated.map((fields) => own(fields, part.member)).filter(isFields);
      return [...entries.map((each) => own(each, key)), defaultOf(part, defaults, key)].filter(
        (value) => value !== undefined,
      );
    });
}
