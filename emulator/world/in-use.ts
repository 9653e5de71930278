import { HttpError } from "./errors.ts";
import type { World } from "./world.ts";
import { mentions } from "./references.ts";

// The only place for removals of resources in use. The API description does not tell the status; this emulator answers
// 409, unless its behaviour differs, and names the users.

const MOST_NAMED = 5;

/** Throws when the resource `name` is used by others; `users` are their names. */
export function requireUnused(name: string, users: string[], { behaviour }: World): void {
  const { in_use_status = 409, deletes_what_is_used } = behaviour;
  if (users.length === 0 || deletes_what_is_used) return;
  throw new HttpError(in_use_status, `${name} is used by ${listOf(users)}`);
}

/** The names of the services and clusters whose configuration contains an id. */
export function usersOf(id: string, { store }: World): string[] {
  return [
    ...store.services.all().flatMap(({ kind, name, spec }) => (mentions(spec, id) ? `${kind} ${name}` : [])),
    ...store.clusters.all().flatMap(({ name, spec }) => (mentions(spec, id) ? `cluster ${name}` : [])),
  ];
}

function listOf(users: string[]): string {
  const rest = users.length - MOST_NAMED;
  return `${users.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
