import { parseReference } from "../../core/address.ts";
import { may, type Person } from "../people/index.ts";
import type { BoardView } from "./board-view.ts";

/** The names of an environment or a project, which stand in its name; of the organization: none. */
export function namesOf(environment: string): string[] {
  return environment === "the organization" ? [] : parseReference(environment);
}

/** What of a view a person may see. */
export function seenBy(view: BoardView, person: Person): BoardView {
  if (may(person, "see", [])) return view;
  const isSeen = ({ environment }: { environment: string }) => may(person, "see", namesOf(environment));
  const { failure, unread, previewFailure, ...rest } = view;
  return {
    ...rest,
    environments: view.environments.filter(isSeen),
    previews: view.previews.filter(isSeen),
    // They can name what is in other environments.
    problems: [],
    ...(failure && { failure: { ...failure, reason: failure.code } }),
    ...(unread && { unread: { ...unread, reason: "" } }),
    ...(previewFailure && { previewFailure: { ...previewFailure, reason: "" } }),
  };
}
