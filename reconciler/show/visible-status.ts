import { parseReference } from "../../core/model/addresses/address.ts";
import { may, type Person } from "../people/index.ts";
import type { ServiceStatus } from "./status-form.ts";

/** The names of an environment or a project, which stand in its name; of the organization: none. */
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
    // They can name what is in other environments.
    problems: [],
    notes: undefined,
    failure: failure && { ...failure, reason: failure.code },
    preview_failure: previewFailure && { ...previewFailure, reason: "" },
  };
}

/** How many environments or sources are in step. */
export function syncedOf(environments: readonly { state: string }[]): number {
  return environments.filter(({ state }) => state === "synced").length;
}

/** The environments among what a source keeps in step, which has its projects and the organization too. */
export function environmentsIn<Shown extends { name: string }>(shown: readonly Shown[]): Shown[] {
  return shown.filter(({ name }) => isEnvironment(name));
}

/** What is counted: environments. Where there are none, projects and the organization are all there is to count. */
export function countedIn<Shown extends { name: string }>(shown: readonly Shown[]): readonly Shown[] {
  const inside = environmentsIn(shown);
  return inside.length > 0 ? inside : shown;
}

/** Whether the name of a share is that of an environment, rather than of a project or the organization. */
export function isEnvironment(name: string): boolean {
  return name.includes("/");
}
