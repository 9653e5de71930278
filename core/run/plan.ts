import type { Desired } from "../desired.ts";
import { kindsInside } from "../kinds/index.ts";
import type { Known } from "../live/index.ts";
import { type Organization, unknownOrganization } from "../organization.ts";
import type { PartEntry } from "../parts/index.ts";
import {
  costOfAll,
  type Goal,
  type LiveChildren,
  type LiveState,
  type Loss,
  type Plan,
  planPass,
  type Policy,
} from "../plan/index.ts";
import type { OperationContext } from "../steps/index.ts";

/**
 * Makes a plan: asks the planner what it needs, reads what of that is not known, a level at a time and each level in
 * parallel, and starts the planner again until it needs nothing. Where nothing is known, a no-op plan of E
 * environments in P projects reads E + P + 1 lists.
 */
export async function makePlan(
  { client, live }: Pick<OperationContext, "client" | "live">,
  organization: Organization,
  goal: Goal,
  resources: readonly Desired[],
  policy: Policy,
): Promise<Plan> {
  for (;;) {
    const { actions, problems, notes, needs } = planPass(
      goal,
      resources,
      stateOf(live.known(), organization),
      policy,
    );
    if (!needs) {
      const cost = { planning: client.spent.total, applying: costOfAll(actions) };
      return { goal, organization, actions, problems, notes, cost };
    }
    const isThere = await live.read(client, organization.id, {
      organization: needs.organization,
      contents: needs.children,
      parts: needs.losses,
      catalogues: needs.catalogues,
    });
    if (!isThere) throw unknownOrganization(organization);
  }
}

function stateOf(known: Known, organization: Organization): LiveState {
  return {
    organization,
    children: childrenOf(known, organization.id),
    catalogues: known.catalogues,
    losses: new Map([...known.parts].map(([id, parts]) => [id, lossesIn(parts)])),
  };
}

function childrenOf(known: Known, parentId: string): LiveChildren | undefined {
  const contents = known.contents.get(parentId);
  return (
    contents && {
      unknown: [...contents.unknown],
      resources: contents.resources.map((resource) => ({
        ...resource,
        // Resources of a kind that contains nothing have been read with all that is in them.
        children:
          kindsInside(resource.kind).length === 0
            ? { resources: [], unknown: [] }
            : childrenOf(known, resource.id),
      })),
    }
  );
}

/** The parts of a resource as what goes with it when it is deleted. */
function lossesIn(parts: readonly PartEntry[]): Loss[] {
  return parts.map(({ part, key }) => ({ what: part.name, name: key, described: false }));
}
