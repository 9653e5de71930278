import { randomUUID } from "node:crypto";
import { type Behaviour, type EffectiveBehaviour, withDefaults } from "./behaviour.ts";
import type { WorldClock } from "./clock.ts";
import { HttpError } from "./errors.ts";
import { Events, type Actor } from "./events.ts";
import { Operations } from "./operations.ts";
import { createStore } from "./records.ts";
import type { Entity, NameKey, Table } from "./store.ts";

export class World {
  readonly behaviour: EffectiveBehaviour;
  readonly clock: WorldClock;
  readonly store = createStore();
  readonly operations: Operations;
  readonly events: Events;
  /** The actor of the current request. Requests are handled synchronously, one after the other. */
  actor: Actor = { name: "emulator", userAgent: undefined };
  /** The seeded id of the next created resource. */
  nextId: string | undefined;
  /** True while a seed is planted, which may set any id. */
  isPlanting = false;
  /** The end of the planting: lists do not lag for seeded resources. */
  plantedUntil = "";
  /** The answers of a cache in front of the server, by address. */
  readonly cachedLists = new Map<string, { at: number; answer: object }>();
  deliveriesUnderWay = 0;

  constructor(behaviour: Behaviour, clock: WorldClock) {
    this.behaviour = withDefaults(behaviour);
    this.clock = clock;
    this.operations = new Operations(this);
    this.events = new Events(this.store);
  }

  newId(): string {
    return randomUUID();
  }

  /** The time in the format of responses. */
  stamp(): string {
    return new Date(this.clock.now()).toISOString();
  }

  base(parentId: string): { id: string; parentId: string; created_at: string; updated_at: string } {
    const now = this.stamp();
    const id = this.nextId ?? this.newId();
    this.nextId = undefined;
    return { id, parentId, created_at: now, updated_at: now };
  }

  /** Adds a resource; 409 when its name is taken. */
  add<E extends Entity>(table: Table<E>, entity: E, event = "CREATE"): E {
    this.requireFreeName(table, entity);
    table.add(entity);
    this.record(event, table, entity);
    return entity;
  }

  /** Changes a resource; 409 when its new name is taken by another. */
  update<E extends Entity>(table: Table<E>, entity: E, changes: Partial<E>): E {
    if (changes.name !== undefined) this.requireFreeName(table, { ...entity, name: changes.name });
    const updated_at = this.behaviour.still_updated_at ? entity.updated_at : this.stamp();
    table.change(entity, { ...changes, updated_at });
    this.record("UPDATE", table, entity);
    return entity;
  }

  remove<E extends Entity>(table: Table<E>, entity: E): void {
    this.record("DELETE", table, entity);
    table.remove(entity);
  }

  record<E extends Entity>(type: string, table: Table<E>, entity: E): void {
    this.events.record(type, table as unknown as Table<Entity>, entity, this.actor, this.stamp());
  }

  /** Throws 409 when a resource of the same parent and kind has the name, ignoring case. */
  requireFreeName<E extends Entity>(table: Table<E>, candidate: NameKey & { id: string }): void {
    const { behaviour } = this;
    if (behaviour.duplicate_names || candidate.name === undefined) return;
    const others = table.idsNamed(candidate).flatMap((id) => table.peek(id) ?? []);
    const other = others.find(
      ({ id, name, hidden }) =>
        id !== candidate.id &&
        !(behaviour.case_sensitive_names && name !== candidate.name) &&
        !(behaviour.free_names_during_clone && hidden),
    );
    if (other === undefined) return;
    const noun = candidate.kind ?? table.noun;
    throw new HttpError(
      behaviour.taken_name_status ?? 409,
      `name: the ${noun} ${other.id} already has the name ${JSON.stringify(candidate.name)}`,
    );
  }

  isListed({ created_at }: Pick<Entity, "created_at">): boolean {
    const { list_delay_ms: delay = 0 } = this.behaviour;
    if (delay === 0 || created_at <= this.plantedUntil) return true;
    return this.clock.now() - Date.parse(created_at) >= delay;
  }
}
