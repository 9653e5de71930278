import type { Client } from "./api/index.ts";
import type { Desired } from "./desired.ts";
import { kindsInside } from "./kinds/index.ts";
import { type Contents, readCatalogue, readContents, readParts } from "./live/index.ts";
import type { PartEntry } from "./parts/index.ts";
import { type Organization, unknownOrganization } from "./organization.ts";
import {
  costOfAll,
  type Goal,
  type LiveChildren,
  type LiveNode,
  type LiveState,
  type Loss,
  type Needs,
  type Plan,
  planPass,
  type Policy,
} from "./plan/index.ts";

/**
 * Makes a plan: asks the planner what it needs, reads that, a level at a time and each level in parallel, and
 * starts the planner again until it needs nothing. A no-op plan of E environments in P projects reads E + P + 1
 * lists.
 */
export async function makePlan(
  client: Client,
  organization: Organization,
  goal: Goal,
  resources: readonly Desired[],
  policy: Policy,
): Promise<Plan> {
  const live: LiveState & { losses: Map<string, readonly Loss[]> } = {
    organization,
    children: undefined,
    catalogues: {},
    losses: new Map(),
  };
  for (;;) {
    const { actions, problems, notes, needs } = planPass(goal, resources, live, policy);
    if (!needs) {
      const cost = { planning: client.spent.total, applying: costOfAll(actions) };
      return { goal, organization, actions, problems, notes, cost };
    }
    await read(client, live, needs);
  }
}

async function read(
  client: Client,
  live: LiveState & { losses: Map<string, readonly Loss[]> },
  needs: Needs,
): Promise<void> {
  await Promise.all([
    needs.organization && readInside(client, undefined, live),
    ...[...needs.children].map((node) => readInside(client, node, live)),
    ...[...needs.catalogues].map(async (catalogue) => {
      live.catalogues[catalogue] = await readCatalogue(client, live.organization.id, catalogue);
    }),
    ...[...needs.losses].map(async (node) => {
      const parts = await readParts(client, node);
      if (parts) live.losses.set(node.id, lossesIn(parts));
      else forget(live.children, node);
    }),
  ]);
}

async function readInside(client: Client, node: LiveNode | undefined, live: LiveState): Promise<void> {
  const children = await readContents(client, node?.kind, node?.id ?? live.organization.id);
  if (children) (node ?? live).children = toNodes(children);
  else if (node) forget(live.children, node);
  else throw unknownOrganization(live.organization);
}

/** Takes a resource out that has gone between the list that showed it and the look into it. */
function forget(children: LiveChildren | undefined, gone: LiveNode): void {
  if (!children) return;
  children.resources = children.resources.filter((node) => node !== gone);
  for (const node of children.resources) forget(node.children, gone);
}

/** Resources of a kind that holds nothing have been read with all that is in them. */
export function toNodes({ resources, unknown }: Contents): LiveChildren {
  return {
    unknown: [...unknown],
    resources: resources.map((resource) => ({
      ...resource,
      children: kindsInside(resource.kind).length === 0 ? { resources: [], unknown: [] } : undefined,
    })),
  };
}

/** The parts of a resource as what goes with it when it is deleted. */
function lossesIn(parts: readonly PartEntry[]): Loss[] {
  return parts.map(({ part, key }) => ({ what: part.name, name: key, described: false }));
}
