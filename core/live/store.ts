import { type Client, type Clock, systemClock } from "../api/index.ts";
import type { Fields } from "../json.ts";
import { type Kind, kinds } from "../kinds/index.ts";
import {
  listingKey,
  type Part,
  type PartEntry,
  partsIn,
  type PartListing,
  type PartLists,
} from "../parts/index.ts";
import {
  type Contents,
  isOnDemand,
  joined,
  kindsOnDemand,
  listKey,
  type ListPlace,
  readContents,
  readList,
} from "./contents.ts";
import { Lineage } from "./lineage.ts";
import { type PartOwner, PartShelves, readListing } from "./parts.ts";
import { isWhole, type LiveResource, parentIdIn, sameId, toLive } from "./resource.ts";
import { Shelf } from "./shelf.ts";
import { readStatuses, type Statuses } from "./statuses.ts";

/** What a plan has to read from the server. */
export interface Needs {
  /** Whether the contents of the organization are needed. */
  organization: boolean;
  /** The resources whose contents are needed. */
  contents: ReadonlySet<LiveResource>;
  /** The lists that are needed of those that are read on demand only, by their keys. */
  lists: ReadonlyMap<string, ListPlace>;
  /** The resources of which parts are needed, and which sorts of parts. */
  parts: ReadonlyMap<LiveResource, ReadonlySet<Part>>;
  /** The lists of defaults of parts that are needed, by their keys. */
  defaults: ReadonlyMap<string, PartListing>;
  /** The parents whose statuses are needed: the kind of each, by its id. */
  statuses: ReadonlyMap<string, Kind>;
}

/** Live state, as values. */
export interface Known {
  /** The contents of the organization and of resources, by the id of the parent. */
  contents: ReadonlyMap<string, Contents>;
  /** The lists that are read on demand only, by their keys. */
  lists: ReadonlyMap<string, Contents>;
  /** The lists of the parts of resources. */
  parts: PartLists;
  /** The lists of defaults of parts. */
  defaults: PartLists;
  /** The statuses of parents and of what they contain, by the id of the parent. */
  statuses: ReadonlyMap<string, Statuses>;
}

/** A store, and the client that it reads with. */
export interface LiveReader {
  client: Client;
  live: LiveStore;
}

/** The result of a write inside a parent. */
export interface Written {
  kind: Kind;
  parentId: string;
  /** The id of a resource that was deleted or replaced. */
  gone?: string;
  /** The resource that was created or updated, with the answer of the server, if it can be trusted. */
  there?: { id: string; response: Fields | undefined };
}

/** What may have changed: a resource, or which resources a parent contains. */
export type Hint = { id: string; parentId?: string } | { parentId: string };

/**
 * Owns live state: contents by parent, parts by resource, statuses. It reads each list once, enters the
 * results of writes, and forgets what may have changed. What has to be read afresh, because a write depends on it, is
 * read with a `lookAt` method, and known from then on.
 *
 * A store has no client of its own, because it outlives the runs that send requests.
 */
export class LiveStore {
  readonly #contents: Shelf<Contents | undefined>;
  readonly #lists: Shelf<Contents | undefined>;
  readonly #parts: PartShelves;
  readonly #defaults: Shelf<readonly Fields[]>;
  readonly #statuses: Shelf<Statuses>;
  readonly #lineage = new Lineage();

  /** @param contentsLife milliseconds for which contents and parts are known; default: until they are forgotten */
  constructor(clock: Clock = systemClock, contentsLife: number = Infinity) {
    this.#contents = new Shelf(clock, contentsLife);
    this.#lists = new Shelf(clock, contentsLife);
    this.#parts = new PartShelves(clock, contentsLife);
    this.#statuses = new Shelf(clock, contentsLife);
    this.#defaults = new Shelf(clock, Infinity);
  }

  /** All that is known now. */
  known(): Known {
    return {
      contents: withoutAbsent(this.#contents.known()),
      lists: withoutAbsent(this.#lists.known()),
      parts: this.#parts.known(),
      defaults: this.#defaults.known(),
      statuses: this.#statuses.known(),
    };
  }

  /**
   * Reads what is needed and not known, all at the same time. A resource that turns out to be gone leaves its parent.
   * False when the organization does not exist.
   */
  async read(client: Client, organizationId: string, needs: Needs): Promise<boolean> {
    const [organization] = await Promise.all([
      needs.organization ? this.contentsOf(client, undefined, organizationId) : true,
      ...[...needs.contents].map(async (resource) => {
        if (!(await this.contentsOf(client, resource.kind, resource.id))) this.#takeOut(resource);
      }),
      ...[...needs.lists.values()].map(async (place) => {
        if (!(await this.#list(client, place))) this.#takeOut(this.#placeOf(place.parentId));
      }),
      ...[...needs.parts].map(async ([resource, parts]) => {
        if (!(await this.partsOf(client, resource, [...parts]))) this.#takeOut(resource);
      }),
      ...[...needs.statuses].map(([id, kind]) =>
        this.#statuses.read(id, () => readStatuses(client, { kind, id })),
      ),
      ...[...needs.defaults.values()].map((listing) => this.defaultsAt(client, listing)),
    ]);
    return organization !== undefined;
  }

  /** The contents of a parent, read if they are not known; undefined when it does not exist. */
  contentsOf(client: Client, parent: Kind | undefined, parentId: string): Promise<Contents | undefined> {
    return this.#contents.read(parentId, () =>
      this.#placed(parentId, readContents(client, parent, parentId)),
    );
  }

  /** All contents of a parent, also those of which the lists are read on demand only; undefined when it does not exist. */
  async allContentsOf(client: Client, parent: Kind, parentId: string): Promise<Contents | undefined> {
    const [usual, ...others] = await Promise.all([
      this.contentsOf(client, parent, parentId),
      ...kindsOnDemand(parent).map((kind) => this.#list(client, { kind, parentId })),
    ]);
    return usual && joined(usual, ...others);
  }

  /**
   * The contents of a parent that are in the list of a kind, read if they are not known; undefined when the parent does
   * not exist.
   */
  listOf(client: Client, kind: Kind, parentId: string): Promise<Contents | undefined> {
    return isOnDemand(kind)
      ? this.#list(client, { kind, parentId })
      : this.contentsOf(client, kind.parent, parentId);
  }

  /** The parts of a resource, of some sorts, read if they are not known; undefined: the resource is gone. */
  async partsOf(client: Client, owner: PartOwner, parts: readonly Part[]): Promise<PartEntry[] | undefined> {
    const lists = await this.#parts.read(client, owner, parts);
    return lists && partsIn(lists, owner.id, parts);
  }

  /** The lists of the parts of a resource, read afresh; undefined: the resource is gone. */
  lookAtParts(client: Client, owner: PartOwner, parts: readonly Part[]): Promise<PartLists | undefined> {
    return this.#parts.refresh(client, owner, parts);
  }

  /** The statuses of a parent and of what it contains, read afresh. */
  lookAtStatuses(client: Client, parent: Pick<LiveResource, "kind" | "id">): Promise<Statuses> {
    return this.#statuses.refresh(parent.id, () => readStatuses(client, parent));
  }

  /** The contents of a parent, read afresh, the lists aside that are read on demand only; undefined when it does not exist. */
  lookAt(client: Client, parent: Kind | undefined, parentId: string): Promise<Contents | undefined> {
    return this.#contents.refresh(parentId, () =>
      this.#placed(parentId, readContents(client, parent, parentId)),
    );
  }

  /** The contents of a parent that are in the list of a kind, read afresh; undefined when the parent does not exist. */
  lookAtList(client: Client, kind: Kind, parentId: string): Promise<Contents | undefined> {
    if (!isOnDemand(kind)) return this.lookAt(client, kind.parent, parentId);
    const place = { kind, parentId };
    return this.#lists.refresh(listKey(place), () => this.#placed(parentId, readList(client, place)));
  }

  /** The defaults that the API gives to parts, read if they are not known. */
  defaultsAt(client: Client, listing: PartListing): Promise<readonly Fields[]> {
    return this.#defaults.read(listingKey(listing), () => readListing(client, listing));
  }

  /**
   * Enters the result of a write. If the answer has fewer members than a list, or does not name this resource and this
   * parent, it is not trusted, and the contents of the parent are forgotten.
   */
  takeIn({ kind, parentId, gone, there }: Written): void {
    if (gone !== undefined) this.#takeOut({ id: gone, parentId });
    // The resources that were linked to it are linked to another one now.
    if (gone !== undefined && isOnDemand(kind)) this.#lists.forget(listKey({ kind, parentId }));
    if (!there) return;
    const live = believable(kind, parentId, there);
    if (!sameId(there.id, parentId)) this.#lineage.place(there.id, parentId);
    if (!live) this.forget({ parentId });
    else this.#change(kind, parentId, (contents) => withResource(contents, live));
  }

  /** Enters that resources in the list of a kind have other responses now, by their ids. */
  takeInResponses(kind: Kind, parentId: string, responses: ReadonlyMap<string, Fields>): void {
    this.#change(kind, parentId, (contents) => ({
      ...contents,
      resources: contents.resources.map((resource) => ({
        ...resource,
        response: responses.get(resource.id) ?? resource.response,
      })),
    }));
  }

  /**
   * Enters the result of a write of parts, and forgets the parts of all that the resource contains: their lists may show
   * its parts too.
   *
   * @param listed what the list has now; undefined: the answer does not say, so the list is forgotten
   */
  takeInParts(owner: PartOwner, listing: PartListing, listed: readonly Fields[] | undefined): void {
    for (const id of this.#lineage.inside(owner.id)) this.#parts.forget(id);
    if (listed) this.#parts.enter(owner.id, listing, listed);
    else this.#parts.forget(owner.id, listing);
  }

  /**
   * Forgets what may have changed. Of a resource: its fields, its parts, its statuses, and all that is in it. Of a parent
   * alone: which resources it contains, and their statuses; what is in these resources stays known.
   */
  forget(hint: Hint): void {
    if ("id" in hint) this.#forgetInside(hint.id);
    const parentId = hint.parentId ?? ("id" in hint ? this.#lineage.parentOf(hint.id) : undefined);
    if (parentId === undefined) return;
    this.#forgetContents(parentId);
    this.#statuses.forget(parentId);
  }

  /** Forgets the lists and the parts of one resource; what is in it stays known. */
  forgetOwn(id: string): void {
    this.#forgetContents(id);
    this.#statuses.forget(id);
    this.#parts.forget(id);
  }

  /** Forgets the defaults of parts. */
  forgetDefaults(): void {
    this.#defaults.forgetAll();
  }

  /** Forgets the lists of a parent that are read on demand only. */
  forgetLists(parentId: string): void {
    for (const key of listKeys(parentId)) this.#lists.forget(key);
  }

  /** Forgets all statuses: they change without any write. */
  forgetStatuses(): void {
    this.#statuses.forgetAll();
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#statuses.forgetAll();
    this.#contents.forgetAll();
    this.#lists.forgetAll();
    this.#parts.forgetAll();
    this.forgetDefaults();
    this.#lineage.clear();
  }

  #takeOut({ id, parentId }: Pick<LiveResource, "id" | "parentId">): void {
    const without = (contents: Contents | undefined) => contents && withoutResource(contents, id);
    this.#contents.change(parentId, without);
    for (const key of listKeys(parentId)) this.#lists.change(key, without);
    this.#forgetInside(id);
    this.#lineage.remove(id);
  }

  #placeOf(id: string): Pick<LiveResource, "id" | "parentId"> {
    return { id, parentId: this.#lineage.parentOf(id) ?? "" };
  }

  #change(kind: Kind, parentId: string, change: (contents: Contents) => Contents): void {
    const changed = (contents: Contents | undefined) => contents && change(contents);
    if (isOnDemand(kind)) this.#lists.change(listKey({ kind, parentId }), changed);
    else this.#contents.change(parentId, changed);
  }

  #forgetInside(id: string): void {
    for (const each of [id, ...this.#lineage.inside(id)]) this.forgetOwn(each);
  }

  #forgetContents(parentId: string): void {
    this.#contents.forget(parentId);
    this.forgetLists(parentId);
  }

  #list(client: Client, place: ListPlace): Promise<Contents | undefined> {
    return this.#lists.read(listKey(place), () => this.#placed(place.parentId, readList(client, place)));
  }

  async #placed(parentId: string, reading: Promise<Contents | undefined>): Promise<Contents | undefined> {
    const contents = await reading;
    // The organization has no parent, although it is in a list of its own.
    for (const { id } of contents?.resources ?? [])
      if (!sameId(id, parentId)) this.#lineage.place(id, parentId);
    return contents;
  }
}

/** The keys of all lists that are read on demand only, as if the parent were of every kind. */
function listKeys(parentId: string): string[] {
  return kinds.filter(isOnDemand).map((kind) => listKey({ kind, parentId }));
}

function believable(
  kind: Kind,
  parentId: string,
  { id, response }: NonNullable<Written["there"]>,
): LiveResource | undefined {
  if (!response || !isWhole(kind, response)) return undefined;
  const live = toLive(kind, response, parentId);
  const itsParent = parentIdIn(kind, response);
  // The answers about what the organization contains may not name the organization: it stands in the path.
  const isInParent = itsParent === undefined ? !kind.parent : sameId(itsParent, parentId);
  const isAboutIt = sameId(live.id, id) && isInParent;
  return isAboutIt ? live : undefined;
}

function withResource(contents: Contents, live: LiveResource): Contents {
  const { resources } = contents;
  const index = resources.findIndex(({ id }) => sameId(id, live.id));
  return { ...contents, resources: index < 0 ? [...resources, live] : resources.with(index, live) };
}

function withoutResource(contents: Contents, id: string): Contents {
  return { ...contents, resources: contents.resources.filter((resource) => !sameId(resource.id, id)) };
}

function withoutAbsent<Value>(values: ReadonlyMap<string, Value | undefined>): Map<string, Value> {
  const present = new Map<string, Value>();
  for (const [id, value] of values) if (value !== undefined) present.set(id, value);
  return present;
}
