import { parseReference } from "../../core/model/addresses/address.ts";
import { may, type Person } from "../people/index.ts";
import { type SyncState, syncStates } from "../decide/index.ts";
import type { ServiceStatus, SourceState } from "./status-form.ts";

/** The names in the name of an environment or a project; of the organization: none. */
export function namesOf(environment: string): string[] {
  return environment === "the organization" ? [] : parseReference(environment);
}

/** The part of a status that a person may see. */
export function seenBy(status: ServiceStatus, person: Person): ServiceStatus {
  if (may(person, "see", [])) return status;
  const isSeen = ({ name }: { name: string }) => may(person, "see", namesOf(name));
  const { failure, in_doubt: doubt, preview_failure: previewFailure } = status;
  const environments = status.environments.filter(isSeen);
  const previews = status.previews?.filter(isSeen) ?? [];
  return {
    ...status,
    in_doubt: doubt && { because: doubt.because, since: doubt.since },
    synced: syncedOf(environmentsIn(environments)),
    environments,
    contains: status.contains && {
      ...status.contains,
      applied_in: status.contains.applied_in.filter((name) => isSeen({ name })),
    },
    previews: previews.length > 0 ? previews : undefined,
    // They can name resources of other environments.
    problems: [],
    notes: undefined,
    failure: failure && { ...failure, reason: failure.code },
    preview_failure: previewFailure && { ...previewFailure, reason: "" },
  };
}

/** The number of synced environments or sources. */
export function syncedOf(environments: readonly { state: string }[]): number {
  return environments.filter(({ state }) => state === "synced").length;
}

/** The environments of a source, without its projects and the organization. */
export function environmentsIn<Shown extends { name: string }>(shown: readonly Shown[]): Shown[] {
  return shown.filter(({ name }) => isEnvironment(name));
}

/** The counted entries: environments, or without any, projects and the organization. */
export function countedIn<Shown extends { name: string }>(shown: readonly Shown[]): readonly Shown[] {
  const inside = environmentsIn(shown);
  return inside.length > 0 ? inside : shown;
}

/** Whether the name of an environment is that of an environment, not of a project or the organization. */
export function isEnvironment(name: string): boolean {
  return name.includes("/");
}

/** The state of an open source. @param seen the visible part for its reader */
export function sourceStateOf(board: { isAlive(): boolean }, seen: ServiceStatus): SourceState {
  if (!board.isAlive()) return "down";
  return seen.in_doubt ? "unknown" : worstOf(seen);
}

function worstOf(view: ServiceStatus): SyncState {
  if (view.checked_at === undefined) return "unread";
  const states = new Set([
    ...view.environments.map(({ state }) => state),
    ...(view.problems.length > 0 ? (["blocked"] as const) : []),
  ]);
  return syncStates.find((state) => states.has(state)) ?? "synced";
}
