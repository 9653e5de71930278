import { type Client, clocksAgree } from "../../../api/index.ts";
import { type EventLog, eventsOfPage, settling } from "../../events/index.ts";
import { type Fields, own } from "../../../values/json.ts";
import type { PartListing } from "../../../model/parts/index.ts";
import { CreationRecord } from "../creation-record.ts";
import { eventsOf, outlastedBy } from "../freshness.ts";
import type { LiveResource } from "../resource.ts";
import {
  type CacheSurroundings,
  clearCacheFiles,
  fileFor,
  type CachedList,
  type CachedRun,
  type CachedState,
  readCacheFile,
  writeCacheFile,
} from "./file.ts";
import { CacheKey } from "./key.ts";
import { leavesOf, masked, unmasked } from "./mask.ts";

/** Where lists of parts are cached, and for how long they are believed. */
export interface PartsCacheSettings extends CacheSurroundings {
  /** A folder of the user alone. */
  folder: string;
  token: string;
  baseUrl: string;
  /** Milliseconds after which a list is due to be read again, a tenth of all lists at a time. */
  maxAge: number;
  /** Whether all is read, and cached for later runs. */
  fresh: boolean;
}

/** A list of this run. */
export interface ReadList extends Omit<CachedList, "owner" | "changed"> {
  owner: LiveResource;
  listing: PartListing;
}

/** A run whose writes are over, at least for the moment. */
export interface EndedRun extends Pick<CachedRun, "end" | "isOver"> {
  organizationId: string;
}

/** The longest time for which a list may be believed, in milliseconds, and as a multiple of the age at which it is due. */
const longestAge = 30 * 3_600_000;
const mostTurns = 30;
/** Of all lists, a run reads at most this part again because of their age: so they never expire all at once. */
const partInTurn = 1 / 10;
/** The server tells its time in whole seconds, so that it may seem to go back by this many milliseconds. */
const tolerance = 2_000;
/** The events are read again from where they were read last, so that place is written again from time to time. */
const oldestRefresh = 300_000;

/**
 * The parts of resources, cached on disk between runs without their values. A list is believed as long as the events of the
 * organization name no change of its resource since, or of one around it, the resource has not been changed, and the list
 * is young enough. Doubtful entries are dropped: the caller reads them.
 */
export class PartsCache {
  readonly #settings: PartsCacheSettings;
  readonly #key: CacheKey;
  /** In the same folder. */
  readonly creations: CreationRecord;
  #file: string | undefined;
  #organizationId = "";
  #opening: Promise<void> | undefined;
  #state: CachedState = { looked: 0, known: new Set(), lists: new Map(), runs: new Map() };
  /** The keys of lists by what they can be forgotten by (`marksOf`). */
  readonly #keysOf = new Map<string, Set<string>>();
  readonly #seen = new WeakSet<readonly Fields[]>();
  readonly #masked = new WeakMap<Fields, Fields>();
  /** The entries that were dropped before the file was read, which may contain them. */
  readonly #forgotten = new Set<string>();
  /** Times of change of the resources whose fields this run has written, by their ids. */
  readonly #renewed = new Map<string, { before: string; after: string }>();
  #isChanged = false;

  constructor(settings: PartsCacheSettings) {
    this.#settings = settings;
    this.#key = new CacheKey(settings.token);
    this.creations = new CreationRecord(settings.folder, settings.baseUrl);
  }

  /** Reads the file, and the events since: one request as a rule, if there is something to believe. */
  open(client: Client, organizationId: string, log: EventLog): Promise<void> {
    this.#opening ??= this.#open(client, organizationId, log);
    return this.#opening;
  }

  /** A list that is believed, with the values that documents declare, and hashes in the place of others. @param declared what they declare of an entry */
  find(
    place: string,
    owner: LiveResource,
    now: number,
    declared: (entry: Fields) => Fields[string] | undefined,
  ): CachedList | undefined {
    const list = this.#state.lists.get(place);
    if (!list || !this.isYoung(list.at, now) || list.changed !== changedAt(owner)) return undefined;
    const entries = list.entries.map((entry) => unmasked(entry, leavesOf(declared(entry)), place, this.#key));
    return { ...list, entries };
  }

  /** Forgets the lists of a resource. */
  forget(id: string): void {
    this.#forget(marks.of(id));
  }

  /** Forgets the lists of a resource and of all that is in it. */
  forgetInside(id: string): void {
    this.#forget(marks.inside(id));
  }

  /** Forgets one list. */
  forgetList(place: string): void {
    this.#forget(place);
  }

  #forget(mark: string): void {
    if (!this.#opening) this.#forgotten.add(mark);
    for (const place of this.#keysOf.get(mark) ?? [])
      if (this.#state.lists.delete(place)) this.#isChanged = true;
    this.#keysOf.delete(mark);
  }

  /** Enters that this run has written the fields of a resource, and none of its parts. */
  renew(before: LiveResource, after: Fields): void {
    const id = before.id.toLowerCase();
    const first = this.#renewed.get(id);
    const renewal = { before: changedAt(before), after: changedAt({ response: after }) };
    const isNext = first?.after === renewal.before;
    this.#renewed.set(id, isNext ? { ...renewal, before: first.before } : renewal);
    for (const place of this.#keysOf.get(marks.of(id)) ?? []) {
      const list = this.#state.lists.get(place);
      if (list?.changed !== renewal.before) continue;
      this.#state.lists.set(place, { ...list, changed: renewal.after });
      this.#isChanged = true;
    }
  }

  /** Forgets every list. */
  forgetAll(): void {
    this.#isChanged ||= this.#state.lists.size > 0;
    this.#state.lists.clear();
    this.#keysOf.clear();
  }

  /** All lists have outlasted the events that were read at a time, by the clock of the server. */
  outlasted(time: number): void {
    this.#isChanged ||= time - this.#state.looked > oldestRefresh;
    this.#state.looked = time;
  }

  /** Keeps lists, and writes the file if it has changed. @param over the run, if it is over: all lists show what it has written */
  async save(
    lists: Iterable<readonly [place: string, list: ReadList]>,
    over?: EndedRun & CachedRun & { signature: string },
  ): Promise<void> {
    if (over && !this.#opening && this.#file === undefined) await this.#add(over.organizationId);
    if (this.#file === undefined) return;
    const latest = this.keep(lists);
    if (over) {
      const { signature, isOver, lasted, events } = over;
      // The server tells its time in whole seconds. What a run writes next must not seem to have come before.
      const end = isOver ? Math.max(over.end, latest) : over.end - tolerance;
      this.#state.runs.set(signature, { end, isOver, lasted, events });
      this.#isChanged = true;
    }
    if (!this.#isChanged) return;
    this.#isChanged = false;
    // A full disk must not stop a plan: the next run reads again.
    await writeCacheFile(this.#file, this.#state, this.#key, this.#settings.shared).catch(() => undefined);
    await clearCacheFiles(this.#settings.folder, Date.now());
  }

  /** Keeps lists in memory until they are saved. Returns when the latest was read. */
  keep(lists: Iterable<readonly [place: string, list: ReadList]>): number {
    let latest = -Infinity;
    for (const [place, list] of lists) {
      this.#keep(place, list);
      latest = Math.max(latest, list.at);
    }
    return latest;
  }

  #keep(place: string, { owner, above, listing, at, entries, isReported }: ReadList): void {
    // All parents of a resource have to be known, up to the organization: an event may be about any of them.
    if (this.#seen.has(entries) || above.at(-1)?.toLowerCase() !== this.#organizationId) return;
    this.#seen.add(entries);
    const hidden = masked(entries, listing, place, this.#key, this.#masked);
    if (!hidden) return;
    this.#put(place, {
      owner: owner.id.toLowerCase(),
      above: above.map((id) => id.toLowerCase()),
      at,
      changed: changedAt(owner),
      entries: hidden,
      isReported,
    });
    this.#isChanged = true;
  }

  #put(place: string, list: CachedList): void {
    const renewal = this.#renewed.get(list.owner);
    const changed = renewal?.before === list.changed ? renewal.after : list.changed;
    this.#state.lists.set(place, { ...list, changed });
    for (const mark of marksOf(place, list))
      this.#keysOf.set(mark, (this.#keysOf.get(mark) ?? new Set()).add(place));
  }

  #read(organizationId: string): Promise<CachedState | undefined> {
    const { folder, baseUrl } = this.#settings;
    this.#organizationId = organizationId.toLowerCase();
    this.#file = fileFor(folder, this.#key, baseUrl, organizationId);
    return readCacheFile(this.#file, this.#key, this.#settings);
  }

  /** Adds to the file without believing anything that is in it: the next run reads the events since. */
  async #add(organizationId: string): Promise<void> {
    const before = await this.#read(organizationId);
    if (!before) return;
    this.#state = { ...before, lists: new Map() };
    for (const [place, list] of before.lists)
      if (!marksOf(place, list).some((mark) => this.#forgotten.has(mark))) this.#put(place, list);
  }

  async #open(client: Client, organizationId: string, log: EventLog): Promise<void> {
    const now = client.serverTime;
    const before = await this.#read(organizationId);
    this.#state.looked = now;
    if (
      !before ||
      this.#settings.fresh ||
      !clocksAgree(client.serverAhead) ||
      before.looked > now + tolerance
    )
      return;
    const believed = [...before.lists].filter(([, { at }]) => this.isYoung(at, now));
    const young = this.#withoutOldest(believed, now, client.budget.remaining);
    this.#isChanged ||= young.length < before.lists.size;
    if (young.length === 0) return;
    const times = young.map(([, { at }]) => at);
    // Lists that were read since have not been compared with the events that are known.
    const unseen = Math.min(before.looked, ...times.filter((at) => at >= before.looked - tolerance));
    this.#state.runs = new Map([...before.runs].filter(([, { end }]) => now - end <= 2 * longestAge));
    const since = Math.min(...times) - settling;
    // To read the events is dearer than to read the lists.
    const unknown = before.known.size === 0 ? since : Math.max(since, before.looked);
    if (eventsOf(before.runs, unknown) > young.length * eventsOfPage) return;
    const events = await log.after(client, organizationId, since, {
      ...before,
      needed: unseen - settling,
      mostPages: young.length,
    });
    if (!events) return;
    this.#state.known = new Set(events.map(({ id }) => id));
    const isOutlasted = outlastedBy(events, before.runs, now);
    for (const [place, list] of young) {
      if (isOutlasted(list)) this.#put(place, list);
      else this.#isChanged = true;
    }
    // Many events that have settled need not be read by each later run.
    this.#isChanged ||= now - before.looked > (events.length > eventsOfPage ? settling : oldestRefresh);
  }

  /** The lists without the oldest tenth, as far as these are due and the quota suffices to read them again. */
  #withoutOldest(
    lists: readonly (readonly [place: string, list: CachedList])[],
    now: number,
    quota = Infinity,
  ) {
    const oldestFirst = lists.toSorted(([, one], [, other]) => one.at - other.at);
    const due = oldestFirst.filter(([, { at }]) => now - at > this.#settings.maxAge).length;
    const turns = Math.min(due, Math.ceil(lists.length * partInTurn), Math.floor(quota / 2));
    return oldestFirst.slice(turns);
  }

  /** Whether a list that was read at a time is young enough at another, both by the clock of the server. */
  isYoung(at: number, now: number): boolean {
    return at <= now + tolerance && now - at <= Math.min(mostTurns * this.#settings.maxAge, longestAge);
  }
}

const marks = {
  of: (id: string) => `of ${id.toLowerCase()}`,
  inside: (id: string) => `in ${id.toLowerCase()}`,
};

function marksOf(place: string, { owner, above }: CachedList): string[] {
  return [place, marks.of(owner), ...[owner, ...above].map(marks.inside)];
}

function changedAt({ response }: Pick<LiveResource, "response">): string {
  const value = own(response, "updated_at");
  return typeof value === "string" ? value : "";
}
