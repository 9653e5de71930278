import { randomUUID } from "node:crypto";
import type { Clock } from "./clock.ts";
import { conflict } from "../http/errors.ts";
import { Events } from "./events.ts";
import type { Actor } from "./events.ts";
import { Operations } from "./operations.ts";
import { createStore } from "./records.ts";
import type { Entity, NameKey, Table } from "./store.ts";

/** How long things take, in milliseconds, and what is allowed. */
export interface Settings {
  cloneDelay: number;
  deleteDelay: number;
  deployDelay: number;
  allowDuplicateNames: boolean;
  /** What the keys of built-in variables begin with. */
  builtInPrefix: string;
}

/** What every route works on: the state, the time, what is under way, and who acts. */
export class World {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly store = createStore();
  readonly operations: Operations;
  readonly events: Events;
  /** Whose request is being carried out. Requests are carried out one after the other, without a pause. */
  actor: Actor = { name: "emulator", userAgent: undefined };
  /** The id of the next resource that is made, for a seed that names it. */
  nextId: string | undefined;
  /** Webhook requests that have no answer yet. */
  deliveriesUnderWay = 0;

  constructor(settings: Settings, clock: Clock) {
    this.settings = settings;
    this.clock = clock;
    this.operations = new Operations(this);
    this.events = new Events(this.store);
  }

  newId(): string {
    return randomUUID();
  }

  /** The time as responses give it. */
  stamp(): string {
    return new Date(this.clock.now()).toISOString();
  }

  /** Id, parent and dates of something new. */
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
    table.change(entity, { ...changes, updated_at: this.stamp() });
    this.record("UPDATE", table, entity);
    return entity;
  }

  /** Removes a resource, and nothing that is in it. */
  remove<E extends Entity>(table: Table<E>, entity: E): void {
    this.record("DELETE", table, entity);
    table.remove(entity);
  }

  /** Tells the events of something that happened. */
  record<E extends Entity>(type: string, table: Table<E>, entity: E): void {
    this.events.record(type, table as unknown as Table<Entity>, entity, this.actor, this.stamp());
  }

  /** Names are unique, case insensitively, within parent and kind. */
  requireFreeName<E extends Entity>(table: Table<E>, candidate: NameKey & { id: string }): void {
    if (this.settings.allowDuplicateNames || candidate.name === undefined) return;
    const other = table.idsNamed(candidate).find((id) => id !== candidate.id);
    if (other === undefined) return;
    const noun = candidate.kind ?? table.noun;
    throw conflict(`name: the ${noun} ${other} has the name ${JSON.stringify(candidate.name)} already`);
  }
}
