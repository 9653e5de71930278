import { randomUUID } from "node:crypto";
import { Clock } from "./clock.ts";
import { conflict } from "./errors.ts";
import { Operations } from "./operations.ts";
import { createStore } from "./records.ts";
import type { Entity } from "./store.ts";
import type { Table } from "./store.ts";

/** How long things take, in milliseconds, and what is allowed. */
export interface Settings {
  cloneDelay: number;
  deleteDelay: number;
  allowDuplicateNames: boolean;
}

/** What every route works on: the state, the time, and what is under way. */
export class World {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly store = createStore();
  readonly operations: Operations;

  constructor(settings: Settings, clock: Clock) {
    this.settings = settings;
    this.clock = clock;
    this.operations = new Operations(this);
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
    return { id: this.newId(), parentId, created_at: now, updated_at: now };
  }

  /** Adds a named resource; 409 when its name is taken. */
  add<E extends Entity & { name: string }>(table: Table<E>, entity: E): E {
    this.requireFreeName(table, entity);
    return table.add(entity);
  }

  /** Changes a resource and its name; 409 when the name is taken by another. */
  update<E extends Entity & { name: string }>(table: Table<E>, entity: E, changes: Partial<E>): E {
    const { name = entity.name, ...rest } = changes;
    this.requireFreeName(table, { ...entity, name });
    table.rename(entity, name);
    return Object.assign(entity, rest, { updated_at: this.stamp() });
  }

  /** Source: issue 4: names are unique, case insensitively, within parent and kind. */
  requireFreeName(
    table: Table<Entity>,
    candidate: Pick<Entity, "parentId" | "kind" | "name"> & { id?: string },
  ): void {
    if (this.settings.allowDuplicateNames) return;
    const other = table.takenBy(candidate);
    if (other === undefined) return;
    const noun = candidate.kind ?? table.noun;
    throw conflict(`name: the ${noun} ${other} has the name ${JSON.stringify(candidate.name)} already`);
  }
}
