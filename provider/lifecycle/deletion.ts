import type { Kind } from "../../core/kinds/index.ts";
import type { ProgramTerms, ProgramQuestion } from "./ask.ts";
import { desiredOf } from "./desired.ts";
import type { Properties } from "./inputs.ts";
import { recall } from "./outputs.ts";
import { shownIn } from "./shown.ts";
import { organizationAbove, stateOf, World } from "./world.ts";

/** Covers whatever is in a resource. */
const everything = { text: "**", matches: () => true, looksInside: () => true };

/**
 * The question whether a resource of the state can be deleted.
 *
 * @param mayEmpty whether all that is in it may go along: the program agrees, or deletes it before
 * @param token that of the run
 */
export function deletionOf(
  kind: Kind,
  id: string,
  olds: Properties,
  { above, policy: given, mayEmpty, token }: ProgramTerms & { mayEmpty: boolean; token: string },
): ProgramQuestion {
  const state = stateOf(kind, id, olds);
  const policy = { ...given, ownToken: ownTokenIn(kind, id, olds, token) };
  const world = new World(organizationAbove(state, above), above);
  world.add(state);
  return {
    goal: "destroy",
    desired: desiredOf(kind, { name: state.name, ignored: [] }, {}, { above, existing: state, mayEmpty }),
    parentId: state.parentId,
    world,
    policy: mayEmpty ? { ...policy, prune: true, allowReplace: [everything] } : policy,
  };
}

/** The id of a token that the run uses; null where it uses another one; undefined where the state does not tell. */
function ownTokenIn(kind: Kind, id: string, olds: Properties, token: string): string | null | undefined {
  const value = shownIn(kind, olds);
  if (value === token) return id;
  // What was made halfway is nobody's.
  return value !== undefined || recall(olds).isUnfinished ? null : undefined;
}
