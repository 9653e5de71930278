import { notFound } from "./errors.ts";

/** The members of every resource; `parentId` is "" for an organization. */
export interface Entity {
  id: string;
  parentId: string;
  /** Distinguishes resources of one table that may share a name (a job and an application). */
  kind?: string;
  name?: string;
  created_at: string;
  updated_at: string;
  /** True while a clone is in progress: the resource was requested, but cannot be read yet. */
  hidden?: boolean;
}

/** The members of every resource in a response. */
export function stamps({ id, created_at, updated_at }: Entity) {
  return { id, created_at, updated_at };
}

/** The scope of a name: a parent and a kind. */
export type NameKey = Pick<Entity, "parentId" | "kind" | "name">;

/** One sort of resource, found by id, by parent, and by parent, kind and case-insensitive name. */
export class Table<E extends Entity> {
  readonly noun: string;
  /** `sub_target_type` of its events, when it is a part of its parent and not a resource of its own. */
  readonly part: string | undefined;
  readonly #byId = new Map<string, E>();
  readonly #byParent = new Map<string, Map<string, E>>();
  readonly #byName = new Map<string, Set<string>>();

  constructor(noun: string, part?: string) {
    this.noun = noun;
    this.part = part;
  }

  /** Throws 404 when the resource does not exist or is hidden. */
  get(id: string): E {
    const entity = this.find(id);
    if (!entity) throw notFound(this.noun, id);
    return entity;
  }

  find(id: string): E | undefined {
    const entity = this.#byId.get(id);
    return entity?.hidden ? undefined : entity;
  }

  peek(id: string): E | undefined {
    return this.#byId.get(id);
  }

  all(): E[] {
    return [...this.#byId.values()];
  }

  /** The visible resources of a parent, in order of creation. */
  under(parentId: string): E[] {
    return this.allUnder(parentId).filter((entity) => !entity.hidden);
  }

  allUnder(parentId: string): E[] {
    return [...(this.#byParent.get(parentId)?.values() ?? [])];
  }

  /** The ids of resources with a name, including hidden ones: a clone occupies its name from its request on. */
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

  /** Changes an entity in place and updates the index of names. */
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
