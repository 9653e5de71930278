import type { LiveStore } from "../../core/live/index.ts";
import { nameKey } from "../../core/names.ts";

/**
 * Makes a store forget an environment or a project with its environments, so that the next plan reads it anew.
 *
 * @param names none: everything
 */
export function forgetNamed(live: LiveStore, organizationId: string, names: readonly string[]): void {
  if (names.length === 0) return live.forgetAll();
  let ids = [organizationId];
  for (const name of names)
    ids = ids.flatMap((id) =>
      (live.known().contents.get(id)?.resources ?? [])
        .filter((resource) => nameKey(resource.name) === nameKey(name))
        .map((resource) => resource.id),
    );
  for (const id of ids) live.forget({ id });
  return undefined;
}
