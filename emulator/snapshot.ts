import type { Store } from "./records.ts";
import type { Entity, Table } from "./store.ts";

/** A store as JSON: every table as the list of its resources. */
export type Snapshot = Record<string, Entity[]>;

/** A copy of all that a store holds. */
export function takeSnapshot(store: Store): Snapshot {
  return structuredClone(Object.fromEntries(tables(store).map(([name, table]) => [name, table.all()])));
}

/** Makes a store hold what the snapshot holds, and nothing else. */
export function restoreSnapshot(store: Store, snapshot: Snapshot): void {
  const copy = structuredClone(snapshot);
  for (const [name, table] of tables(store)) {
    table.clear();
    for (const entity of copy[name] ?? []) table.add(entity);
  }
}

function tables(store: Store): [string, Table<Entity>][] {
  return Object.entries(store) as [string, Table<Entity>][];
}
