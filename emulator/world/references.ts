import type { World } from "./world.ts";

// A changed spec is a new object, so results can be cached by object.
const mentioned = new WeakMap<object, Set<string>>();

/** The number of services that use a registry, a repository, a git token or a group: of specs that contain its id. */
export function countUses(id: string, { store }: World): number {
  return store.services.all().filter(({ spec }) => mentions(spec, id)).length;
}

export function mentions(spec: object, id: string): boolean {
  let strings = mentioned.get(spec);
  if (!strings) {
    strings = new Set();
    collect(spec, strings);
    mentioned.set(spec, strings);
  }
  return strings.has(id);
}

function collect(value: unknown, strings: Set<string>): void {
  if (typeof value === "string") strings.add(value);
  if (typeof value !== "object" || value === null) return;
  for (const part of Object.values(value)) collect(part, strings);
}
