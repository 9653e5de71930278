import type { LiveStore } from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";

/** The ids of the environment or the project with these names; empty if it is not known. */
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
