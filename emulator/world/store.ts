import { notFound } from "../http/errors.ts";

/** What every resource has; `parentId` is "" for an organization. */
export interface Entity {
  id: string;
  parentId: string;
  /** Tells apart resources of one table that may share a name (a job and an application). */
  kind?: string;
  name?: string;
  created_at: string;
  updated_at: string;
  /** Requested, and not there yet: a clone under way. */
  hidden?: boolean;
}

/** Where a name is looked for: in a parent, among its kind. */
export type NameKey = Pick<Entity, "parentId" | "kind" | "name">;

/** One sort of resource, found by id, by parent, and by parent, kind and case-insensitive name. */
export class Table<E extends Entity> {
  /** What messages call it. */
  readonly noun: string;
  /** `sub_target_type` of its events, when it is a part of its parent rather than a thing of its own. */
  readonly part: string | undefined;
  readonly #byId = new Map<string, E>();
  readonly #byParent = new Map<string, Map<string, E>>();
  readonly #byName = new Map<string, Set<string>>();

  constructor(noun: string, part?: string) {
    this.noun = noun;
    this.part = part;
  }

  /** Throws 404 when there is none, or none yet. */
  get(id: string): E {
    const entity = this.find(id);
    if (!entity) throw notFound(this.noun, id);
    return entity;
  }

  find(id: string): E | undefined {
    const entity = this.#byId.get(id);
    return entity?.hidden ? undefined : entity;
  }

  /** Also what is hidden. */
  peek(id: string): E | undefined {
    return this.#byId.get(id);
  }

  /** Everything, hidden or not, in order of creation. */
  all(): E[] {
    return [...this.#byId.values()];
  }

  /** What can be seen under a parent, in order of creation. */
  under(parentId: string): E[] {
    return this.allUnder(parentId).filter((entity) => !entity.hidden);
  }

  /** What is under a parent, hidden or not. */
  allUnder(parentId: string): E[] {
    return [...(this.#byParent.get(parentId)?.values() ?? [])];
  }

  /** The ids that have a name, those of hidden resources too: a name is taken from the request on. */
  idsNamed(key: NameKey): string[] {
    return [...(this.#byName.get(indexOf(key)) ?? [])];
  }

  add(entity: E): E {
    this.#byId.set(entity.id, entity);
    const siblings = this.#byParent.get(entity.parentId) ?? new Map<string, E>();
    siblings.set(entity.id, entity);
    this.#byParent.set(entity.parentId, siblings);
    this.#addName(entity);
    return entity;
  }

  /** Changes an entity in place and keeps the look-up by name right. */
  change(entity: E, changes: Partial<E>): E {
    this.#removeName(entity);
    Object.assign(entity, changes);
    this.#addName(entity);
    return entity;
  }

  remove(entity: E): void {
    this.#byId.delete(entity.id);
    const siblings = this.#byParent.get(entity.parentId);
    siblings?.delete(entity.id);
    if (siblings?.size === 0) this.#byParent.delete(entity.parentId);
    this.#removeName(entity);
  }

  clear(): void {
    this.#byId.clear();
    this.#byParent.clear();
    this.#byName.clear();
  }

  #addName(entity: E): void {
    if (entity.name === undefined) return;
    const key = indexOf(entity);
    this.#byName.set(key, (this.#byName.get(key) ?? new Set()).add(entity.id));
  }

  #removeName(entity: E): void {
    const key = indexOf(entity);
    const ids = this.#byName.get(key);
    ids?.delete(entity.id);
    if (ids?.size === 0) this.#byName.delete(key);
  }
}

function indexOf({ parentId, kind, name }: NameKey): string {
  return `${parentId}/${kind ?? ""}/${name?.toLowerCase() ?? ""}`;
}
