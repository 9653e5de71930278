import { nameOf } from "../../core/address.ts";
import type { Kind } from "../../core/kinds/index.ts";
import type { Contents, LiveResource } from "../../core/live/index.ts";
import { lifetimeOf } from "../../core/manifest/index.ts";
import { defaultPolicy } from "../../core/plan/index.ts";
import type { ProgramTerms, ProgramQuestion } from "./ask.ts";
import { desiredOf } from "./desired.ts";
import type { StatedInputs } from "./inputs.ts";
import { organizationAbove, unnamedAbove, withEmptyParts, World } from "./world.ts";

/** Stands for a parent that a program does not name: the organization. */
const someParent = "organization";

/** What is known where a resource is going to be made. */
interface Site extends ProgramTerms {
  /** What is in the parent already; absent: unknown. */
  beside?: Contents;
  /** The source of a clone, and what is in it. */
  source?: { live: LiveResource; contents: Contents };
  /** The names of those that are others, however like they are. */
  others?: string[];
}

/**
 * The question whether a new resource can be made.
 *
 * @param site default: nothing is known of it
 */
export function creationOf(kind: Kind, stated: StatedInputs, site?: Site): ProgramQuestion {
  const { parentId = someParent, cloneFrom, expiresAfter } = stated;
  const { above, policy } = site ?? { above: unnamedAbove(kind, parentId), policy: defaultPolicy };
  const world = new World(organizationAbove({ parentId }, above), above, site?.now);
  if (site?.beside) world.enter(kind, parentId, site.beside);
  // The source may be anywhere: it is known by its id, and gets a place of its own in what is known.
  const source = { kind, names: [...above.map(({ name }) => name), `source ${cloneFrom}`] };
  if (site?.source) {
    const { live, contents } = site.source;
    world.add({ ...withEmptyParts(live), name: nameOf(source), parentId });
    world.enter(undefined, live.id, contents);
  }
  return {
    goal: "reconcile",
    desired: desiredOf(kind, stated, stated.fields, {
      above,
      expires: lifetimeOf(expiresAfter),
      ...(cloneFrom !== undefined && { source }),
      ...(site?.others && { beside: site.others }),
    }),
    parentId,
    world,
    policy,
  };
}
