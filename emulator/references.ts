import type { World } from "./world.ts";

/** How many services use a registry, a git token or a group: how many specs mention its id. */
export function countUses(id: string, { store }: World): number {
  return store.services.all().filter(({ spec }) => mentions(spec, id)).length;
}

function mentions(value: unknown, id: string): boolean {
  if (value === id) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => mentions(part, id));
}
