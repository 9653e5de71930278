import type { ClockState } from "./clock.ts";
import type { Event } from "./events.ts";
import type { Operation } from "./operations.ts";
import type { Entity, Table } from "./store.ts";
import type { World } from "./world.ts";

export interface Snapshot {
  format: typeof FORMAT;
  clock: ClockState;
  operations: Operation[];
  events: Event[];
  tables: Record<string, Entity[]>;
}

export const FORMAT = "infrasync-emulator/1";

/** The state of a world. It shares objects with the world, so write or copy it before the world changes. */
export function takeSnapshot({ store, clock, operations, events }: World): Snapshot {
  return {
    format: FORMAT,
    clock: clock.state(),
    operations: operations.toJSON(),
    events: events.toJSON(),
    tables: Object.fromEntries(Object.entries(store).map(([name, table]) => [name, table.all()])),
  };
}

export function restoreSnapshot(world: World, snapshot: Snapshot): void {
  const copy = structuredClone(snapshot);
  world.clock.restore(copy.clock);
  world.events.restore(copy.events);
  const tables = Object.entries(world.store) as unknown as [string, Table<Entity>][];
  for (const [name, table] of tables) {
    table.clear();
    for (const entity of copy.tables[name] ?? []) table.add(entity);
  }
  world.operations.restore(copy.operations);
}
