import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../api/index.ts";
import type { Fields } from "../../values/json.ts";
import { entryKindOf, type Kind } from "../../model/kinds/index.ts";
import type { RevealedPassword } from "../../redaction/known-credentials.ts";
import { listingKey, type Part, type PartEntry, partsIn, type PartListing } from "../../model/parts/index.ts";
import { type Contents, isOnDemand, listKey, usualKinds } from "./contents.ts";
import { hashesIn } from "./cache-files/mask.ts";
import { KnownState } from "./known-state.ts";
import type { Needs } from "./live-values.ts";
import { readPassword } from "./passwords.ts";
import { type LivePartOwner, readListing } from "./read-parts.ts";
import { type LiveResource, sameId } from "./resource.ts";
import { enterUndeployed, ofNewParent, readStatuses, type Statuses } from "./statuses.ts";
import { believable, withResource, type WriteEffect } from "./write-effect.ts";

/** A store, and the client that it reads with. */
export interface LiveReader {
  client: Client;
  live: LiveStore;
}

/**
 * Owns live state: reads each list once, and enters the results of writes. What depends on present state reads with the age
 * 0, which always sends a request. A store has no client of its own, because it outlives the runs that send requests.
 */
export class LiveStore extends KnownState {
  /** The keys of the lists from which a resource was deleted. */
  readonly shortened = new Set<string>();

  /** A store that knows nothing but what this machine has created. */
  get afresh(): LiveStore {
    return new LiveStore(undefined, Infinity, undefined, undefined, this.creations);
  }

  /**
   * Reads the needed lists that are not known, all at the same time. A resource that no longer exists is removed from its
   * parent. Returns false if the organization does not exist.
   *
   * @param declaredOf the fields of the documents of a resource
   */
  async read(
    client: Client,
    organizationId: string,
    needs: Needs,
    declaredOf: (resource: LiveResource) => readonly Fields[] = () => [],
  ): Promise<boolean> {
    if (needs.parts.size > 0) await this.openCache(client, organizationId);
    // What an earlier run has read is compared with the defaults.
    await Promise.all([...needs.defaults.values()].map((listing) => this.defaultsAt(client, listing)));
    const [organization] = await Promise.all([
      needs.organization ? this.contentsOf(client, undefined, organizationId) : true,
      ...[...needs.contents].map(async (resource) => {
        if (!(await this.contentsOf(client, resource.kind, resource.id))) this.takeOut(resource);
      }),
      ...[...needs.lists.values()].map(async (place) => {
        const { parentId: id } = place;
        if (!(await this.contents.readList(client, place)))
          this.takeOut({ id, parentId: this.lineage.parentOf(id) ?? "" });
      }),
      ...[...needs.parts].map(async ([resource, parts]) => {
        if (!(await this.parts.recall(client, resource, [...parts], declaredOf(resource))))
          this.takeOut(resource);
      }),
      ...[...needs.statuses].map(([id, kind]) => this.statusesOf(client, { kind, id })),
      ...[...needs.passwords].map(([id, kind]) => this.passwordOf(client, { kind, id })),
    ]);
    return organization !== undefined;
  }

  /** Reads the cache on disk, and the events since: a request as a rule, once. */
  async openCache(client: Client, organizationId: string): Promise<void> {
    await this.cache?.open(client, organizationId, this.events);
  }

  /**
   * Calls `make` with the parts of a resource: first with those that an earlier run has read. If the result uses a value that
   * is not declared, it reads the parts, and calls `make` again.
   *
   * @param organizationId undefined if nothing is cached
   * @param declared the fields of its document
   * @param make gets undefined if the resource is gone; it returns all that it uses
   */
  async recalled<Result extends object>(
    client: Client,
    organizationId: string | undefined,
    owner: LiveResource,
    parts: readonly Part[],
    declared: Fields,
    make: (entries: readonly PartEntry[] | undefined) => Result | Promise<Result>,
  ): Promise<Result> {
    if (organizationId !== undefined) await this.openCache(client, organizationId);
    const lists = await this.parts.recall(client, owner, parts, [declared]);
    const made = await make(lists && partsIn(lists, owner, parts, declared));
    if (hashesIn(made).size === 0) return made;
    this.parts.forget(owner.id);
    return make(await this.partsOf(client, owner, parts, declared));
  }

  /**
   * Adds resources of the last minutes that the cached lists lack; later lists are complete too. Whoever
   * concludes anything from what a list lacks calls it: a request, unless the events were read.
   *
   * @returns whether there was anything
   */
  async complete(client: Client, organizationId: string): Promise<boolean> {
    await this.recent.load(client, organizationId, this.events);
    return this.contents.complete(client);
  }

  /**
   * The contents of a parent, except the lists that are read on demand only; undefined when it does not exist.
   *
   * @param age how old known contents may be, in milliseconds; 0: they are read afresh. Default: as long as they are known
   */
  contentsOf(
    client: Client,
    parent: Kind | undefined,
    parentId: string,
    age?: number,
  ): Promise<Contents | undefined> {
    return this.contents.readContents(client, parent, parentId, age);
  }

  /** The contents of a parent that are in the list of a kind. @param age as above */
  listOf(client: Client, kind: Kind, parentId: string, age?: number): Promise<Contents | undefined> {
    return this.contents.readList(client, { kind, parentId }, age);
  }

  /** Some parts of a resource; undefined if it is gone. @param declared the fields of its document */
  async partsOf(
    client: Client,
    owner: LivePartOwner,
    parts: readonly Part[],
    declared?: Fields,
  ): Promise<PartEntry[] | undefined> {
    const lists = await this.parts.read(client, owner, parts);
    return lists && partsIn(lists, owner, parts, declared);
  }

  /** The statuses of a parent and of its contents. @param age as above */
  statusesOf(client: Client, parent: Pick<LiveResource, "kind" | "id">, age?: number): Promise<Statuses> {
    return this.statuses.read(parent.id, () => readStatuses(client, parent), age);
  }

  /** The password that the API tells of a resource: none where the token may not read it. */
  passwordOf(
    client: Client,
    { kind, id }: Pick<LiveResource, "kind" | "id">,
  ): Promise<RevealedPassword | undefined> {
    const where = kind.credentialsAt?.(id);
    if (where === undefined) return Promise.resolve(undefined);
    return this.passwords.read(id, () => readPassword(client, where));
  }

  /** The defaults that the API gives to parts. */
  defaultsAt(client: Client, listing: PartListing): Promise<readonly Fields[]> {
    return this.defaults.read(listingKey(listing), () => readListing(client, listing));
  }

  /** Enters the result of a write. If the answer cannot be trusted, the contents of the parent are forgotten. */
  takeIn({ kind, parentId, gone, there }: WriteEffect): void {
    for (const id of [gone, there?.id]) if (id !== undefined) this.writes.enter(id);
    if (gone !== undefined) {
      this.shortened.add(isOnDemand(kind) ? listKey({ kind, parentId }) : parentId.toLowerCase());
      this.recent.remove(gone);
      this.creations.deleted(gone);
      this.takeOut({ id: gone, parentId });
      // The resources that named it name another one now.
      this.contents.forget(listKey({ kind, parentId }));
      if (kind.outputs) this.forgetPartsInside(parentId);
    }
    // The list that shows resources of a kind among others, which fields can name as well.
    const entries = kind.catalogue && entryKindOf(kind.catalogue);
    if (entries && entries !== kind) this.contents.forget(listKey({ kind: entries, parentId }));
    if (!there) return;
    const live = believable(kind, parentId, there);
    if (!sameId(there.id, parentId)) this.lineage.place(there.id, parentId);
    if (!live) {
      this.forget({ parentId });
      return;
    }
    this.contents.changeList({ kind, parentId }, (contents) => withResource(contents, live));
    if (kind.deployment)
      this.statuses.change(parentId, (statuses) => {
        enterUndeployed(statuses, there.id);
        return statuses;
      });
  }

  /** Enters a write of parts, which lists of all inside may show. @param change computes the new list; undefined: the answer does not tell it; `written`: how many */
  takeInParts(
    owner: LivePartOwner,
    listing: PartListing,
    change: ((listed: readonly Fields[]) => readonly Fields[]) | undefined,
    written = 1,
  ): void {
    this.writes.enter(owner.id, written);
    this.forgetPartsInside(owner.id);
    this.parts.change(owner, listing, change);
    this.#forgetLinks(owner);
  }

  /** Enters that fields of a resource were written, and none of its parts. */
  renew(before: LiveResource, after: Fields | undefined): void {
    if (after) this.cache?.renew(before, after);
    this.#forgetLinks(before);
    const mayGo = Object.values(before.kind.outputs ?? {}).some(
      ({ follows }) =>
        follows !== undefined && !isDeepStrictEqual(before.response[follows], after?.[follows]),
    );
    // With an output, the server deletes the variables of siblings that use it.
    if (mayGo) this.forgetPartsInside(before.parentId);
  }

  /** Enters that nothing is in a resource that was created from nothing. */
  tellEmpty(kind: Kind, id: string): void {
    if (usualKinds(kind).length > 0) this.contents.enter(id, { resources: [], unknown: [] });
    if (kind.jointDeployment) this.statuses.enter(id, ofNewParent());
  }

  /** Enters a list of parts of a resource that this run has created, as the answers to its writes tell it. */
  tell(list: Parameters<LiveStore["parts"]["tell"]>[0]): void {
    if (list.listing.siblings === undefined) this.parts.tell(list);
  }

  /** Forgets the addresses of a service: they follow from its fields and its domains. */
  #forgetLinks(owner: LivePartOwner): void {
    const { links } = owner.kind.deployment ?? {};
    if (links) this.parts.forgetList(links.part.listing(owner.id, owner.parentId));
  }
}
