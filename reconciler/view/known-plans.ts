import type { LiveValues, LiveStore } from "../../core/state/live/index.ts";
import type { Action, Plan, Unread } from "../../core/planning/plan/index.ts";
import { type Environment, environmentKeyOf, environmentOf } from "../policy/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";

/** The ids of the environments and projects of actions, by environment key. */
export function parentIds(actions: readonly Action[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { address, resourceId, parent } of actions) {
    const { key, names } = environmentOf(address);
    const id = address.names.length === names.length ? resourceId : "id" in parent ? parent.id : undefined;
    if (id !== undefined) ids.set(key, id);
  }
  return ids;
}

/** The unread parts of a plan that nobody has read since: statuses are read after it. */
export function stillUnread(
  { actions, unread }: Pick<Plan, "actions" | "unread">,
  { statuses }: LiveValues,
): Unread[] {
  const ids = parentIds(actions);
  return (unread ?? []).filter(
    ({ address, sort }) => sort !== "deployments" || !statuses.has(ids.get(environmentOf(address).key) ?? ""),
  );
}

/** The environments of some ids, if their names are known. */
export function environmentsIn(
  environments: readonly Environment[],
  ids: ReadonlySet<string>,
  { contents }: LiveValues,
): Environment[] {
  const names = new Map(
    [...contents.values()].flatMap(({ resources }) => resources.map(({ id, name }) => [id, name] as const)),
  );
  const keys = new Set(
    [...contents].flatMap(([parentId, { resources }]) =>
      resources
        .filter(({ id }) => ids.has(id))
        .map(({ name }) => environmentKeyOf([names.get(parentId) ?? "", name])),
    ),
  );
  return environments.filter(({ key }) => keys.has(key));
}

/** The ids of the environment or the project with these names; empty: unknown. */
export function idsNamed(live: LiveStore, organizationId: string, names: readonly string[]): string[] {
  let ids = [organizationId];
  for (const name of names)
    ids = ids.flatMap((id) =>
      (live.known().contents.get(id)?.resources ?? [])
        .filter((resource) => nameKey(resource.name) === nameKey(name))
        .map((resource) => resource.id),
    );
  return ids;
}
