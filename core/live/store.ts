import { type Client, type Clock, systemClock } from "../api/index.ts";
import type { CatalogueEntry, Catalogues } from "../fields/references.ts";
import type { Fields } from "../json.ts";
import type { Kind } from "../kinds/index.ts";
import type { Catalogue } from "../schema/catalogues.ts";
import type { PartEntry } from "../parts/index.ts";
import { readCatalogue } from "./catalogues.ts";
import { type Contents, readContents } from "./contents.ts";
import { readParts } from "./parts.ts";
import { isWhole, type LiveResource, parentIdIn, sameId, toLive } from "./resource.ts";
import { Shelf } from "./shelf.ts";
import { type EnvironmentStatuses, readStatuses } from "./statuses.ts";

/** What a plan has to read from the server. */
export interface Needs {
  /** Whether the contents of the organization are needed. */
  organization: boolean;
  /** The resources whose contents are needed. */
  contents: ReadonlySet<LiveResource>;
  /** The resources whose parts are needed, of the sorts that documents can state. */
  parts: ReadonlySet<LiveResource>;
  /** The resources whose parts of all sorts are needed. */
  allParts: ReadonlySet<LiveResource>;
  /** The ids of the environments whose statuses are needed. */
  statuses: ReadonlySet<string>;
  catalogues: ReadonlySet<Catalogue>;
}

/** Live state, as values. */
export interface Known {
  /** The contents of the organization and of resources, by the id of the parent. */
  contents: ReadonlyMap<string, Contents>;
  /** The parts of resources, of the sorts that documents can state, by the id of the resource. */
  parts: ReadonlyMap<string, readonly PartEntry[]>;
  /** The parts of all sorts, by the id of the resource. */
  allParts: ReadonlyMap<string, readonly PartEntry[]>;
  /** The statuses of environments, by the id of the environment. */
  statuses: ReadonlyMap<string, EnvironmentStatuses>;
  catalogues: Catalogues;
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

/**
 * Owns live state: contents by parent, parts by resource, catalogues. It reads each list once, enters the results of
 * writes, and forgets what may have changed. Plans use it; an update does not, it reads its resource afresh.
 *
 * A store has no client of its own, because it outlives the runs that send requests.
 */
export class LiveStore {
  readonly #contents: Shelf<Contents | undefined>;
  readonly #parts: Shelf<readonly PartEntry[] | undefined>;
  readonly #allParts: Shelf<readonly PartEntry[] | undefined>;
  readonly #statuses: Shelf<EnvironmentStatuses>;
  readonly #catalogues: Shelf<CatalogueEntry[]>;

  /** @param contentsLife milliseconds for which contents and parts are known; default: until they are forgotten */
  constructor(clock: Clock = systemClock, contentsLife: number = Infinity) {
    this.#contents = new Shelf(clock, contentsLife);
    this.#parts = new Shelf(clock, contentsLife);
    this.#allParts = new Shelf(clock, contentsLife);
    this.#statuses = new Shelf(clock, contentsLife);
    this.#catalogues = new Shelf(clock, Infinity);
  }

  /** All that is known now. */
  known(): Known {
    const allParts = withoutAbsent(this.#allParts.known());
    return {
      contents: withoutAbsent(this.#contents.known()),
      parts: new Map([...allParts, ...withoutAbsent(this.#parts.known())]),
      allParts,
      statuses: this.#statuses.known(),
      catalogues: Object.fromEntries(this.#catalogues.known()),
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
      ...[...needs.parts].map(async (resource) => {
        if (!(await this.partsOf(client, resource))) this.#takeOut(resource);
      }),
      ...[...needs.allParts].map(async (resource) => {
        const { id, kind } = resource;
        const parts = await this.#allParts.read(id, () => readParts(client, resource, kind.parts));
        if (!parts) this.#takeOut(resource);
      }),
      ...[...needs.statuses].map((id) => this.#statuses.read(id, () => readStatuses(client, id))),
      ...[...needs.catalogues].map((catalogue) => this.catalogue(client, organizationId, catalogue)),
    ]);
    return organization !== undefined;
  }

  /** The contents of a parent, read if they are not known; undefined when it does not exist. */
  contentsOf(client: Client, parent: Kind | undefined, parentId: string): Promise<Contents | undefined> {
    return this.#contents.read(parentId, () => readContents(client, parent, parentId));
  }

  /** The parts of a resource that documents can state, read if they are not known; undefined: the resource is gone. */
  partsOf(client: Client, resource: LiveResource): Promise<readonly PartEntry[] | undefined> {
    return this.#parts.read(resource.id, () => readParts(client, resource));
  }

  /** The contents of a parent, read afresh; undefined when it does not exist. */
  lookAt(client: Client, parent: Kind | undefined, parentId: string): Promise<Contents | undefined> {
    return this.#contents.refresh(parentId, () => readContents(client, parent, parentId));
  }

  /** The entries of a catalogue of the organization, read if they are not known. */
  catalogue(client: Client, organizationId: string, catalogue: Catalogue): Promise<CatalogueEntry[]> {
    return this.#catalogues.read(catalogue, () => readCatalogue(client, organizationId, catalogue));
  }

  /**
   * Enters the result of a write. If the answer has fewer members than a list, or does not name this resource and this
   * parent, it is not trusted, and the contents of the parent are forgotten.
   */
  takeIn({ kind, parentId, gone, there }: Written): void {
    if (gone !== undefined) this.#takeOut({ id: gone, parentId });
    if (!there) return;
    const live = believable(kind, parentId, there);
    if (live) this.#contents.change(parentId, (contents) => contents && withResource(contents, live));
    else this.forgetContents(parentId);
  }

  /** Forgets the contents of a parent; those of the resources in it stay known. */
  forgetContents(parentId: string): void {
    this.#contents.forget(parentId);
  }

  /** Forgets a resource with its parts and all that is in it, and the contents of its parent. */
  forgetResource({ id, parentId }: Pick<LiveResource, "id" | "parentId">): void {
    this.forgetContents(parentId);
    this.#forgetInside(id);
  }

  /** Forgets the parts of a resource. */
  forgetParts(id: string): void {
    this.#parts.forget(id);
    this.#allParts.forget(id);
  }

  /** Forgets the statuses of services: they change without any write. */
  forgetStatuses(): void {
    this.#statuses.forgetAll();
  }

  /** Forgets everything. */
  forgetAll(): void {
    this.#statuses.forgetAll();
    this.#contents.forgetAll();
    this.#parts.forgetAll();
    this.#allParts.forgetAll();
    this.#catalogues.forgetAll();
  }

  #takeOut({ id, parentId }: Pick<LiveResource, "id" | "parentId">): void {
    this.#contents.change(parentId, (contents) => contents && withoutResource(contents, id));
    this.#forgetInside(id);
  }

  #forgetInside(id: string): void {
    for (const child of this.#contents.get(id)?.value?.resources ?? []) this.#forgetInside(child.id);
    this.#contents.forget(id);
    this.forgetParts(id);
  }
}

function believable(
  kind: Kind,
  parentId: string,
  { id, response }: NonNullable<Written["there"]>,
): LiveResource | undefined {
  if (!response || !isWhole(kind, response)) return undefined;
  const live = toLive(kind, response, parentId);
  const itsParent = parentIdIn(kind, response);
  const isAboutIt = sameId(live.id, id) && itsParent !== undefined && sameId(itsParent, parentId);
  return isAboutIt ? live : undefined;
}

function withResource({ resources, unknown }: Contents, live: LiveResource): Contents {
  const index = resources.findIndex(({ id }) => sameId(id, live.id));
  return { resources: index < 0 ? [...resources, live] : resources.with(index, live), unknown };
}

function withoutResource({ resources, unknown }: Contents, id: string): Contents {
  return { resources: resources.filter((resource) => !sameId(resource.id, id)), unknown };
}

function withoutAbsent<Value>(values: ReadonlyMap<string, Value | undefined>): Map<string, Value> {
  const present = new Map<string, Value>();
  for (const [id, value] of values) if (value !== undefined) present.set(id, value);
  return present;
}
