import { type Clock, systemClock } from "../../api/index.ts";
import { type AuditEvent, EventLog, type Hint } from "../events/index.ts";
import type { Fields } from "../../values/json.ts";
import type { RevealedPassword } from "../../redaction/known-credentials.ts";
import { Cache, type ReadCount, ReadTally } from "./cache.ts";
import { type Freshness, OwnWrites } from "./freshness.ts";
import { ContentsCache } from "./contents-cache.ts";
import { CreationRecord } from "./creation-record.ts";
import type { PartsCache } from "./cache-files/parts-cache.ts";
import { Lineage } from "./lineage.ts";
import type { LiveValues, LongLists } from "./live-values.ts";
import { KnownParts } from "./parts.ts";
import { RecentCreations } from "./recent.ts";
import type { LiveResource } from "./resource.ts";
import type { Statuses } from "./statuses.ts";

/** The cached state of the server: contents by parent, parts by resource, statuses. Entries that may have changed are dropped here. */
export class KnownState {
  readonly #clock: Clock;
  /** The contents of parents. */
  readonly contents: ContentsCache;
  /** The defaults of parts. */
  readonly defaults: Cache<readonly Fields[]>;
  protected readonly statuses: Cache<Statuses>;
  protected readonly passwords: Cache<RevealedPassword | undefined>;
  protected readonly lineage = new Lineage();
  /** The writes of the runs with this store. */
  readonly writes: OwnWrites;
  /** The creations of the last minutes. */
  readonly recent: RecentCreations;
  protected readonly cache: PartsCache | undefined;
  /** The events of the organization, as far as they were read. */
  readonly events = new EventLog();
  /** Whether lists show a new resource at once, as a creation is to show; undefined: unknown. */
  lists: Promise<"prompt" | "late" | undefined> | undefined;
  /** The creations of this machine. */
  readonly creations: CreationRecord;
  /** The parts of resources, also those that earlier runs have read. */
  readonly parts: KnownParts;

  /**
   * @param life milliseconds for which a read is cached; default: until it is dropped
   * @param onRead called with the number of lists read, and of those needed
   * @param cache the parts that earlier runs have read; default: none
   * @param creations the record of this machine; default: the one beside the cache
   */
  constructor(
    clock: Clock = systemClock,
    life = Infinity,
    onRead?: (count: ReadCount) => void,
    cache?: PartsCache,
    creations = cache?.creations ?? new CreationRecord(),
  ) {
    const tally = new ReadTally(onRead);
    this.#clock = clock;
    this.cache = cache;
    this.writes = new OwnWrites(clock);
    this.creations = creations;
    this.recent = new RecentCreations(creations);
    this.contents = new ContentsCache(clock, life, tally, this.lineage, this.recent);
    this.defaults = new Cache(clock, Infinity, tally);
    this.statuses = new Cache(clock, life, tally);
    this.passwords = new Cache(clock, life, tally);
    const { contents, lineage, writes, defaults } = this;
    this.parts = new KnownParts(clock, life, tally, { contents, lineage, writes, defaults, cache });
  }

  /** When the oldest cached read began, by the clock of this machine; now, if there is none. */
  get since(): number {
    const all = [...this.contents.freshness(), ...this.parts.freshness()];
    return all.reduce((oldest, { since }) => Math.min(oldest, since.time), this.#clock.now());
  }

  /** The values that are known. */
  known(): LiveValues {
    return {
      ...this.contents.lists(),
      parts: this.parts.known(),
      defaults: this.defaults.known(),
      statuses: this.statuses.known(),
      passwords: this.passwords.known(),
    };
  }

  /** The organization of a resource; undefined if it is not known. */
  organizationOf(id: string): string | undefined {
    return this.lineage.above(id).at(-1);
  }

  /** The reads so soon after an own write that they may not show it. */
  readTooEarly(hint: Hint): Hint[] {
    if (!("id" in hint)) return [hint];
    const { id } = hint;
    const isTooEarly = (all: readonly Freshness[]) =>
      all.some(({ since }) => this.writes.isTooEarly(since, [id]));
    const lists = [id, this.parentOf(hint) ?? []].flat();
    const owners = [id, ...this.lineage.inside(id)];
    return [
      ...lists.filter((each) => isTooEarly(this.contents.freshness(each))).map((parentId) => ({ parentId })),
      ...owners.filter((each) => isTooEarly(this.parts.freshness(each))).map((each) => ({ id: each })),
    ];
  }

  /**
   * Forgets what may have changed. Of a resource: its fields, parts and statuses, and all that is in it. Of a parent alone:
   * which resources it contains, and their statuses.
   */
  forget(hint: Hint): void {
    if ("id" in hint) this.#forgetInside(hint.id);
    const parentId = this.parentOf(hint);
    if (parentId === undefined) return;
    this.contents.forgetOf(parentId);
    this.statuses.forget(parentId);
  }

  /** Forgets the lists and the parts of one resource; its contents stay known. */
  forgetOwn(id: string): void {
    this.contents.forgetOf(id);
    this.statuses.forget(id);
    this.parts.forget(id);
  }

  /** Drops the contents of a resource, which this run needs no more; later runs have its parts. */
  setAside(id: string): void {
    this.parts.setAside(this.lineage.inside(id));
    this.contents.forgetOf(id);
  }

  /** Forgets the statuses in a parent. @param event the reason: an own write changes none where nothing was ever deployed */
  forgetStatuses(parentId: string, event?: AuditEvent): void {
    const known = event && this.writes.has(event) ? this.statuses.get(parentId) : undefined;
    if (!known?.value.isUndeployed) this.statuses.forget(parentId);
  }

  /** Forgets all that is known. */
  forgetAll(): void {
    for (const cache of [this.statuses, this.passwords, this.contents, this.defaults]) cache.forgetAll();
    this.parts.clear();
    this.lineage.clear();
  }

  /** The requests to read the cached state of each resource again, by its id in lower case. */
  costs(): Map<string, number> {
    const costs = this.contents.costs();
    const statuses = [...this.statuses.known().keys()].map((id) => [id.toLowerCase(), 1] as const);
    for (const [id, cost] of [...this.parts.costs(), ...statuses]) costs.set(id, (costs.get(id) ?? 0) + cost);
    return costs;
  }

  /** How many requests it takes to read again what a hint forgets. */
  costOf(hint: Hint): number {
    const costs = this.costs();
    const inside = "id" in hint ? [hint.id, ...this.lineage.inside(hint.id)] : [];
    const forResource = inside.reduce((sum, id) => sum + (costs.get(id.toLowerCase()) ?? 0), 0);
    const parentId = this.parentOf(hint);
    if (parentId === undefined) return forResource;
    const lists = this.contents.costs().get(parentId.toLowerCase()) ?? 1;
    return forResource + lists + (this.statuses.get(parentId) ? 1 : 0);
  }

  /** The known lists that have more pages than one of this size. */
  longLists(pageSize: number): LongLists {
    const contents = this.contents.morePages(pageSize);
    const parts = this.parts.morePages(pageSize);
    const ids = new Set([...contents.keys(), ...parts.keys()]);
    return new Map(
      [...ids].map((id) => [id, { contents: contents.get(id) ?? 0, parts: parts.get(id) ?? 0 }]),
    );
  }

  /** Forgets a resource that is gone, and all that was in it. */
  protected takeOut({ id, parentId }: Pick<LiveResource, "id" | "parentId">): void {
    this.contents.takeOut(parentId, id);
    this.#forgetInside(id);
    this.lineage.remove(id);
  }

  /** Forgets the parts of all that is in a resource. */
  protected forgetPartsInside(id: string): void {
    for (const each of this.lineage.inside(id)) this.parts.forget(each);
    // An earlier run may have read what this one has not found yet.
    this.cache?.forgetInside(id);
  }

  /** The id of the parent that a hint is about; undefined if it is not known. */
  protected parentOf(hint: Hint): string | undefined {
    return hint.parentId ?? ("id" in hint ? this.lineage.parentOf(hint.id) : undefined);
  }

  #forgetInside(id: string): void {
    for (const each of [id, ...this.lineage.inside(id)]) this.forgetOwn(each);
    this.cache?.forgetInside(id);
  }
}
