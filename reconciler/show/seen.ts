import { parseReference } from "../../core/address.ts";
import { may, type Person } from "../people/index.ts";
import type { BoardStanding } from "./board-view.ts";

/** The names of an environment or a project, which stand in its name; of the organization: none. */
export function namesOf(environment: string): string[] {
  return environment === "the organization" ? [] : parseReference(environment);
}

/** The part of a view that a person may see. */
export function seenBy<View extends BoardStanding>(view: View, person: Person): View {
  if (may(person, "see", [])) return view;
  const isSeen = ({ environment }: { environment: string }) => may(person, "see", namesOf(environment));
  const { failure, unread, previewFailure } = view;
  return {
    ...view,
    environments: view.environments.filter(isSeen),
    previews: view.previews.filter(isSeen),
    // They can name what is in other environments.
    problems: [],
    idle: [],
    idleHere: [],
    ...(failure && { failure: { ...failure, reason: failure.code } }),
    ...(unread && { unread: { ...unread, reason: "" } }),
    ...(previewFailure && { previewFailure: { ...previewFailure, reason: "" } }),
  };
}
