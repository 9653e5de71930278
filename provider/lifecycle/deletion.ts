import type { Kind } from "../../core/kinds/index.ts";
import type { LiveResource } from "../../core/live/index.ts";
import type { Policy } from "../../core/plan/index.ts";
import type { ProgramQuestion } from "./ask.ts";
import { desiredOf } from "./desired.ts";
import type { Properties } from "./inputs.ts";
import { organizationAbove, stateOf, World } from "./world.ts";

/** Covers whatever is in a resource. */
const everything = { text: "**", matches: () => true, looksInside: () => true };

/**
 * The question whether a resource of the state can be deleted.
 *
 * @param mayEmpty whether all that is in it may go along: the program agrees, or deletes it before
 */
export function deletionOf(
  kind: Kind,
  id: string,
  olds: Properties,
  { above, policy, mayEmpty }: { above: readonly LiveResource[]; policy: Policy; mayEmpty: boolean },
): ProgramQuestion {
  const state = stateOf(kind, id, olds);
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
