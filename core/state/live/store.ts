import { isDeepStrictEqual } from "node:util";
import { type Client, type Clock, systemClock } from "../../api/index.ts";
import type { AuditEvent, Hint } from "../events/index.ts";
import type { Fields } from "../../values/json.ts";
import { entryKindOf, type Kind } from "../../model/kinds/index.ts";
import type { RevealedPassword } from "../../redaction/known-credentials.ts";
import {
  listingKey,
  type Part,
  type PartEntry,
  partsIn,
  type PartListing,
  type PartLists,
} from "../../model/parts/index.ts";
import { type Contents, usualKinds } from "./contents.ts";
import { ContentsCaches } from "./contents-caches.ts";
import type { PartsCache } from "./kept/parts-cache.ts";
import type { LiveValues, LongLists, Needs } from "./live-values.ts";
import { Lineage } from "./lineage.ts";
import type { Moment } from "./moment.ts";
import { OwnWrites } from "./own-writes.ts";
import { hashesIn, type LivePartOwner, PartCaches, readListing, type RunList } from "./parts.ts";
import { RememberedParts } from "./cache-use.ts";
import { type LiveResource, sameId } from "./resource.ts";
import { CreationRecord } from "./creation-record.ts";
import { RecentCreations } from "./recent.ts";
import { Cache } from "./cache.ts";
import { type ReadCount, ReadTally } from "./tally.ts";
import { readPassword } from "./passwords.ts";
import { enterUndeployed, ofNewParent, readStatuses, type Statuses } from "./statuses.ts";
import { believable, withResource, type WriteEffect } from "./write-effect.ts";

/** A store, and the client that it reads with. */
export interface LiveReader {
  client: Client;
  live: LiveStore;
}

/**
 * Owns live state: contents by parent, parts by resource, statuses. It reads each list once, enters the
 * results of writes, and forgets state that may have changed. Writes that depend on present state read with the age 0:
 * that always sends a request, and enters the answer.
 *
 * A store has no client of its own, because it outlives the runs that send requests.
 */
export class LiveStore {
  readonly #clock: Clock;
  readonly #contents: ContentsCaches;
  readonly #parts: PartCaches;
  readonly #defaults: Cache<readonly Fields[]>;
  readonly #statuses: Cache<Statuses>;
  readonly #passwords: Cache<RevealedPassword | undefined>;
  readonly #lineage = new Lineage();
  readonly #writes: OwnWrites;
  readonly #recent: RecentCreations;
  /** The creations of this machine. */
  readonly creations: CreationRecord;
  readonly #kept: PartsCache | undefined;
  /** The parts that earlier runs have read. */
  readonly remembered: RememberedParts;

  /**
   * @param contentsLife milliseconds for which contents and parts are known; default: until they are forgotten
   * @param onRead called with the number of lists read, and of those needed
   * @param kept the parts that earlier runs have read; default: none
   */
  constructor(
    clock: Clock = systemClock,
    contentsLife = Infinity,
    onRead?: (count: ReadCount) => void,
    kept?: PartsCache,
  ) {
    this.#clock = clock;
    this.#kept = kept;
    this.#writes = new OwnWrites(clock);
    this.creations = kept?.creations ?? new CreationRecord();
    this.#recent = new RecentCreations(this.creations);
    const tally = new ReadTally(onRead);
    this.#contents = new ContentsCaches(clock, contentsLife, tally, this.#lineage, this.#recent);
    this.#parts = new PartCaches(clock, contentsLife, this.#contents, tally);
    this.#defaults = new Cache(clock, Infinity, tally);
    this.remembered = new RememberedParts(
      this.#parts,
      this.#contents,
      this.#lineage,
      this.#writes,
      this.#defaults,
      kept,
    );
    this.#statuses = new Cache(clock, contentsLife, tally);
    this.#passwords = new Cache(clock, contentsLife, tally);
  }

  /** What the server notes of the writes of runs with this store, so that their events are known. */
  get signature(): string {
    return this.#writes.signature;
  }

  /** When the oldest read began of what is known, by the clock of this machine; now, where nothing is. */
  get since(): number {
    const begun = [...this.#contents.begun(), ...this.#parts.begun()];
    return begun.reduce((oldest, { time }) => Math.min(oldest, time), this.#clock.now());
  }

  /** The organization that a resource is in; undefined if nobody knows all that it is in. */
  organizationOf(id: string): string | undefined {
    return this.#lineage.above(id).at(-1);
  }

  /** Whether an event is of a write of one's own. */
  isOwn(event: AuditEvent): boolean {
    return this.#writes.has(event);
  }

  /** What was read so soon after a write of one's own that it may not show it yet; everything else is known by the answer. */
  readTooEarly(hint: Hint): Hint[] {
    if (!("id" in hint)) return [hint];
    const { id } = hint;
    const parentId = this.#parentOf(hint);
    const isTooEarly = (begun: readonly Moment[]) =>
      begun.some((moment) => this.#writes.isTooEarly(moment, [id]));
    const lists = [id, ...(parentId === undefined ? [] : [parentId])];
    const owners = [id, ...this.#lineage.inside(id)];
    return [
      ...lists.filter((each) => isTooEarly(this.#contents.begun(each))).map((each) => ({ parentId: each })),
      ...owners.filter((each) => isTooEarly(this.#parts.begun(each))).map((each) => ({ id: each })),
    ];
  }

  /** The state that is known now. */
  known(): LiveValues {
    return {
      ...this.#contents.known(),
      parts: this.#parts.known(),
      defaults: this.#defaults.known(),
      statuses: this.#statuses.known(),
      passwords: this.#passwords.known(),
    };
  }

  /**
   * Reads the needed lists that are not known, all at the same time. Parts that an earlier run has read, and that nobody has
   * changed since, are not read again. A resource that no longer exists is removed from its parent. Returns false if the
   * organization does not exist.
   *
   * @param statedOf the fields of the documents of a resource
   */
  async read(
    client: Client,
    organizationId: string,
    needs: Needs,
    statedOf: (resource: LiveResource) => readonly Fields[] = () => [],
  ): Promise<boolean> {
    if (needs.parts.size > 0) await this.openRemembered(client, organizationId);
    // What an earlier run has read is compared with the defaults.
    await Promise.all([...needs.defaults.values()].map((listing) => this.defaultsAt(client, listing)));
    const [organization] = await Promise.all([
      needs.organization ? this.contentsOf(client, undefined, organizationId) : true,
      ...[...needs.contents].map(async (resource) => {
        if (!(await this.contentsOf(client, resource.kind, resource.id))) this.#takeOut(resource);
      }),
      ...[...needs.lists.values()].map(async (place) => {
        if (!(await this.#contents.readList(client, place))) this.#takeOut(this.#placeOf(place.parentId));
      }),
      ...[...needs.parts].map(async ([resource, parts]) => {
        if (!(await this.remembered.recall(client, resource, [...parts], statedOf(resource))))
          this.#takeOut(resource);
      }),
      ...[...needs.statuses].map(([id, kind]) => this.statusesOf(client, { kind, id })),
      ...[...needs.passwords].map(([id, kind]) => this.passwordOf(client, { kind, id })),
    ]);
    return organization !== undefined;
  }

  /** Opens what earlier runs have read: a request as a rule, once. */
  async openRemembered(client: Client, organizationId: string): Promise<void> {
    await this.#kept?.open(client, organizationId);
  }

  /**
   * Calls `make` with the parts of a resource: first with those that an earlier run has read, if nobody has changed them
   * since. If the result uses a value that is not stated, it reads the parts, and calls `make` with those of the server.
   *
   * @param organizationId undefined if nothing is remembered
   * @param stated the fields of its document
   * @param make gets undefined if the resource is gone; it returns all that it uses
   */
  async recalled<Result extends object>(
    client: Client,
    organizationId: string | undefined,
    owner: LiveResource,
    parts: readonly Part[],
    stated: Fields,
    make: (entries: readonly PartEntry[] | undefined) => Result | Promise<Result>,
  ): Promise<Result> {
    if (organizationId !== undefined) await this.openRemembered(client, organizationId);
    const lists = await this.remembered.recall(client, owner, parts, [stated]);
    const made = await make(lists && partsIn(lists, owner, parts, stated));
    if (hashesIn(made).size === 0) return made;
    this.remembered.forget(owner.id);
    return make(await this.partsOf(client, owner, parts, stated));
  }

  /**
   * Adds to the known lists what was created in the last minutes and they lack; lists that are read from now on are complete
   * too. Whoever concludes anything from what a list does not have asks for it. What this machine has created is known
   * without a request.
   *
   * @param of whether what other machines have created has to be known, too: a request, unless the events were read
   * @returns whether there was anything
   */
  async complete(client: Client, organizationId: string, of?: "all"): Promise<boolean> {
    await this.#recent.load(client, organizationId, this.#kept?.events, of !== "all");
    return this.#contents.complete(client);
  }

  /** Enters the creations that events name, the newest event first: whoever reads all events does so. */
  enterEvents(events: readonly AuditEvent[], organizationId: string): void {
    this.#recent.enter(events, organizationId);
    this.#recent.follow();
  }

  /** Until when a resource may appear whose creation events name and that nothing shows; undefined if there is none. */
  awaitedUntil({
    kind,
    parentId,
    name,
  }: Pick<LiveResource, "kind" | "parentId" | "name">): number | undefined {
    return this.#recent.awaitedUntil(kind, parentId, name);
  }

  /**
   * The contents of a parent, except the lists that are read on demand only; undefined when it does not exist.
   *
   * @param age milliseconds: how old known contents may be; 0: they are read afresh. Default: as long as they are known
   */
  contentsOf(
    client: Client,
    parent: Kind | undefined,
    parentId: string,
    age?: number,
  ): Promise<Contents | undefined> {
    return this.#contents.read(client, parent, parentId, age);
  }

  /** All contents of a parent, also lists that are read on demand only; undefined when the parent does not exist. */
  allContentsOf(client: Client, parent: Kind, parentId: string): Promise<Contents | undefined> {
    return this.#contents.readAll(client, parent, parentId);
  }

  /** The contents of a parent that are in the list of a kind; undefined when the parent does not exist. @param age as above */
  listOf(client: Client, kind: Kind, parentId: string, age?: number): Promise<Contents | undefined> {
    return this.#contents.readList(client, { kind, parentId }, age);
  }

  /**
   * The parts of a resource, of some sorts, read if they are not known; undefined if the resource is gone.
   *
   * @param stated the fields of its document
   */
  async partsOf(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    stated?: Fields,
  ): Promise<PartEntry[] | undefined> {
    const lists = await this.#parts.read(client, owner, parts);
    return lists && partsIn(lists, owner, parts, stated);
  }

  /**
   * The lists of the parts of a resource, read afresh, except those of siblings; undefined if the resource is gone.
   *
   * @param age milliseconds for which a list that was read counts as afresh
   */
  rereadParts(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    age = 0,
  ): Promise<PartLists | undefined> {
    return this.#parts.read(client, owner, parts, age);
  }

  /** The statuses of a parent and of its contents. @param age as above */
  statusesOf(client: Client, parent: Pick<LiveResource, "kind" | "id">, age?: number): Promise<Statuses> {
    return this.#statuses.read(parent.id, () => readStatuses(client, parent), age);
  }

  /** The password that the API tells of a resource, read if it is not known: none where the token may not read it. */
  passwordOf(
    client: Client,
    { kind, id }: Pick<LiveResource, "kind" | "id">,
  ): Promise<RevealedPassword | undefined> {
    const where = kind.credentialsAt?.(id);
    if (where === undefined) return Promise.resolve(undefined);
    return this.#passwords.read(id, () => readPassword(client, where));
  }

  /** The defaults that the API gives to parts, read if they are not known. */
  defaultsAt(client: Client, listing: PartListing): Promise<readonly Fields[]> {
    return this.#defaults.read(listingKey(listing), () => readListing(client, listing));
  }

  /**
   * Enters the result of a write. If the answer has fewer members than a list, or does not name this resource and this
   * parent, it is not trusted, and the contents of the parent are forgotten.
   */
  takeIn({ kind, parentId, gone, there }: WriteEffect): void {
    for (const id of [gone, there?.id]) if (id !== undefined) this.#writes.enter(id);
    if (gone !== undefined) {
      this.#recent.remove(gone);
      this.creations.deleted(gone);
    }
    if (gone !== undefined) this.#takeOut({ id: gone, parentId });
    // The resources that named it name another one now.
    if (gone !== undefined) this.#contents.forgetList({ kind, parentId });
    if (gone !== undefined && kind.outputs) this.#forgetUsesOfOutputs(parentId);
    this.#forgetEntries(kind, parentId);
    if (!there) return;
    const live = believable(kind, parentId, there);
    if (!sameId(there.id, parentId)) this.#lineage.place(there.id, parentId);
    if (!live) this.forget({ parentId });
    else this.#contents.change({ kind, parentId }, (contents) => withResource(contents, live));
    if (live && kind.deployment)
      this.#statuses.change(parentId, (statuses) => {
        enterUndeployed(statuses, there.id);
        return statuses;
      });
  }

  /**
   * Enters the result of a write of parts, and forgets the parts of all that the resource contains: their lists may show
   * its parts too.
   *
   * @param change computes the new list; undefined if the answer does not tell, so the list is forgotten
   */
  takeInParts(
    owner: LivePartOwner,
    listing: PartListing,
    change: ((listed: readonly Fields[]) => readonly Fields[]) | undefined,
  ): void {
    this.#writes.enter(owner.id);
    for (const id of this.#lineage.inside(owner.id)) this.remembered.forget(id);
    this.#kept?.forgetInside(owner.id);
    this.#parts.change(owner, listing, change);
    this.#forgetLinks(owner);
  }

  /** Enters that fields of a resource were written, and none of its parts: what earlier runs have read of these stays believed. */
  renew(before: LiveResource, after: Fields | undefined): void {
    if (after) this.#kept?.renew(before, after);
    this.#forgetLinks(before);
    const mayGo = Object.values(before.kind.outputs ?? {}).some(
      ({ follows }) =>
        follows !== undefined && !isDeepStrictEqual(before.response[follows], after?.[follows]),
    );
    if (mayGo) this.#forgetUsesOfOutputs(before.parentId);
  }

  /** Enters that nothing is in a resource that was created from nothing. */
  tellEmpty(kind: Kind, id: string): void {
    if (usualKinds(kind).length > 0) this.#contents.enter(id, { resources: [], unknown: [] });
    if (kind.jointDeployment) this.#statuses.enter(id, ofNewParent());
  }

  /** Enters a list of parts of a resource that this run has created, as far as the answers to its writes tell it. */
  tell(list: Omit<RunList, "isTold">): void {
    if (list.listing.siblings === undefined) this.#parts.tell({ ...list, isTold: true });
  }

  /**
   * Forgets what may have changed. Of a resource: its fields, its parts, its statuses, and all that is in it. Of a parent
   * alone: which resources it contains, and their statuses; what is in these resources stays known.
   */
  forget(hint: Hint): void {
    if ("id" in hint) this.#forgetInside(hint.id);
    const parentId = this.#parentOf(hint);
    if (parentId === undefined) return;
    this.#contents.forget(parentId);
    this.#statuses.forget(parentId);
  }

  /** Forgets what is in a resource, as this run needs it no more; later runs know its parts. */
  setAside(id: string): void {
    this.remembered.setAside(this.#lineage.inside(id));
    this.#contents.forget(id);
  }

  /** Forgets the lists and the parts of one resource; its contents stay known. */
  forgetOwn(id: string): void {
    this.#contents.forget(id);
    this.#statuses.forget(id);
    this.remembered.forget(id);
  }

  /** How many requests it takes to read the lists and the parts of each resource again that are known, by its id in lower case. */
  costs(): Map<string, number> {
    const costs = this.#contents.costs();
    const statuses = [...this.#statuses.known().keys()].map((id) => [id.toLowerCase(), 1] as const);
    for (const [id, cost] of [...this.#parts.costs(), ...statuses])
      costs.set(id, (costs.get(id) ?? 0) + cost);
    return costs;
  }

  /** The known lists that have more pages than one of this size. */
  longLists(pageSize: number): LongLists {
    const contents = this.#contents.morePages(pageSize);
    const parts = this.#parts.morePages(pageSize);
    const ids = new Set([...contents.keys(), ...parts.keys()]);
    return new Map(
      [...ids].map((id) => [id, { contents: contents.get(id) ?? 0, parts: parts.get(id) ?? 0 }]),
    );
  }

  /** How many requests it takes to read again what a hint forgets. */
  costOf(hint: Hint): number {
    const costs = this.costs();
    const inside = "id" in hint ? [hint.id, ...this.#lineage.inside(hint.id)] : [];
    const forResource = inside.reduce((sum, id) => sum + (costs.get(id.toLowerCase()) ?? 0), 0);
    const parentId = this.#parentOf(hint);
    if (parentId === undefined) return forResource;
    const lists = this.#contents.costs().get(parentId.toLowerCase()) ?? 1;
    return forResource + lists + (this.#statuses.get(parentId) ? 1 : 0);
  }

  /** Forgets the defaults of parts. */
  forgetDefaults(): void {
    this.#defaults.forgetAll();
  }

  /** Forgets the lists of a parent that are read on demand only. */
  forgetLists(parentId: string): void {
    this.#contents.forgetLists(parentId);
  }

  /**
   * Forgets the statuses of the contents of a parent: they change without any write.
   *
   * @param event after which they may be others; a write of one's own changes none where nothing was ever deployed
   */
  forgetStatuses(parentId: string, event?: AuditEvent): void {
    const known = event && this.isOwn(event) ? this.#statuses.get(parentId) : undefined;
    if (!known?.value.isUndeployed) this.#statuses.forget(parentId);
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#statuses.forgetAll();
    this.#passwords.forgetAll();
    this.#contents.forgetAll();
    this.#parts.forgetAll();
    this.#kept?.forgetAll();
    this.forgetDefaults();
    this.#lineage.clear();
  }

  /** Forgets the parts of all that a parent contains: with an output, the server deletes the variables of siblings that use it. */
  #forgetUsesOfOutputs(parentId: string): void {
    for (const id of this.#lineage.inside(parentId)) this.remembered.forget(id);
    this.#kept?.forgetInside(parentId);
  }

  /** Forgets the addresses of a service: they follow from its fields and its domains. */
  #forgetLinks(owner: LivePartOwner): void {
    const { links } = owner.kind.deployment ?? {};
    if (links) this.remembered.forgetList(owner.id, links.part.listing(owner.id, owner.parentId));
  }

  #parentOf(hint: Hint): string | undefined {
    return hint.parentId ?? ("id" in hint ? this.#lineage.parentOf(hint.id) : undefined);
  }

  #takeOut({ id, parentId }: Pick<LiveResource, "id" | "parentId">): void {
    this.#contents.takeOut(parentId, id);
    this.#forgetInside(id);
    this.#lineage.remove(id);
  }

  /** Forgets the list that shows resources of a kind among others, which fields can name as well. */
  #forgetEntries(kind: Kind, parentId: string): void {
    const entries = kind.catalogue && entryKindOf(kind.catalogue);
    if (entries && entries !== kind) this.#contents.forgetList({ kind: entries, parentId });
  }

  #placeOf(id: string): Pick<LiveResource, "id" | "parentId"> {
    return { id, parentId: this.#lineage.parentOf(id) ?? "" };
  }

  #forgetInside(id: string): void {
    for (const each of [id, ...this.#lineage.inside(id)]) this.forgetOwn(each);
    // An earlier run may have read what this one has not found yet.
    this.#kept?.forgetInside(id);
  }
}
