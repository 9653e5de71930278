import type { Service } from "../world/records.ts";
import type { Entity, Table } from "../world/store.ts";
import type { World } from "../world/world.ts";

/** Runs in a world when a deletion is complete. */
export function registerRemoval(world: World): void {
  world.operations.onFinish("delete", ({ subjects }) => {
    for (const id of subjects) removeWhole(id, world);
  });
}

/** Deletes resources with contents, after the delay of deletions; those that are already being deleted are skipped. */
export function startDeletion(ids: string[], world: World): void {
  const { operations, behaviour, store } = world;
  const subjects = ids.filter((id) => !operations.isLeaving(id));
  if (subjects.length === 0) return;
  const holds = subjects.flatMap((id) => [id, ...contents(id, world)]);
  if (behaviour.delete_delay_ms > 0) {
    for (const id of subjects) {
      const table = [store.services, store.environments, store.clusters].find((candidate) =>
        candidate.peek(id),
      );
      const entity = table?.peek(id);
      if (table && entity) world.record("DELETE_QUEUED", table as unknown as Table<Entity>, entity);
    }
  }
  operations.start({ kind: "delete", holds, subjects }, behaviour.delete_delay_ms);
}

function contents(id: string, world: World): string[] {
  const { projects, environments, services } = world.store;
  const direct = [projects, environments, services].flatMap((table) =>
    table.allUnder(id).map((inner) => inner.id),
  );
  return direct.flatMap((inner) => [inner, ...contents(inner, world)]);
}

/** Removes the contents first. */
function removeWhole(id: string, world: World): void {
  const tables = Object.values(world.store) as unknown as Table<Entity>[];
  for (const table of tables) {
    for (const inner of table.allUnder(id)) removeWhole(inner.id, world);
  }
  const service = world.store.services.peek(id);
  if (service) removeVariablesAbout(service, world);
  for (const table of tables) {
    const entity = table.peek(id);
    if (!entity) continue;
    if (isReported(table, world)) world.remove(table, entity);
    else table.remove(entity);
  }
}

/** Whether the cascade of a deletion to a resource is an event: not for variables and other parts. */
function isReported(table: Table<Entity>, { store }: World): boolean {
  return [store.services, store.environments, store.projects, store.clusters, store.organizations].includes(
    table as never,
  );
}

function removeVariablesAbout(service: Service, { store }: World): void {
  const { variables } = store;
  const about = variables.allUnder(service.parentId).filter((variable) => variable.about === service.id);
  if (about.length === 0) return;
  const ids = new Set(about.map(({ id }) => id));
  for (const variable of variables.all())
    if (ids.has(variable.id) || ids.has(variable.aliasOf ?? "")) variables.remove(variable);
}
