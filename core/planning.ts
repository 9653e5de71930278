import { type Client, UnexpectedAnswerError } from "./api/index.ts";
import type { Desired } from "./desired.ts";
import { isFields } from "./json.ts";
import { kindsInside } from "./kinds/index.ts";
import { absentWhenNotFound, type Children, readCatalogue, readChildren, readOne } from "./live.ts";
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
      const losses = await absentWhenNotFound(readLosses(client, node));
      if (losses) live.losses.set(node.id, losses);
      else await forgetGone(client, live, node);
    }),
  ]);
}

async function readInside(client: Client, node: LiveNode | undefined, live: LiveState): Promise<void> {
  const children = await readChildren(client, node?.kind, node?.id ?? live.organization.id);
  if (children) (node ?? live).children = toNodes(children);
  else if (node) forget(live.children, node);
  else throw unknownOrganization(live.organization);
}

/** Forgets a resource of which something has not been found, if it is gone itself; a server may lack a path as well. */
async function forgetGone(client: Client, live: LiveState, node: LiveNode): Promise<void> {
  const { kind, id, parentId } = node;
  if ((await readOne(client, kind, id, parentId)) === undefined) forget(live.children, node);
  else
    throw new UnexpectedAnswerError(
      `the server has the ${kind.name} ${id} and says that what hangs on it does not exist`,
      { method: "GET", path: kind.path(id), advice: "is the base URL that of the API?" },
    );
}

/** Takes a resource out that has gone between the list that showed it and the look into it. */
function forget(children: LiveChildren | undefined, gone: LiveNode): void {
  if (!children) return;
  children.resources = children.resources.filter((node) => node !== gone);
  for (const node of children.resources) forget(node.children, gone);
}

/** Resources of a kind that holds nothing have been read with all that is in them. */
export function toNodes({ resources, unknown }: Children): LiveChildren {
  return {
    unknown,
    resources: resources.map((resource) => ({
      ...resource,
      children: kindsInside(resource.kind).length === 0 ? { resources: [], unknown: [] } : undefined,
    })),
  };
}

async function readLosses(client: Client, node: LiveNode): Promise<Loss[]> {
  const lists = await Promise.all(
    node.kind.holds.map(async ({ what, path, query, nameOf }) => {
      const entries = await client.list(path(node.id), query?.(node.id));
      return entries.flatMap((entry) => {
        const name = isFields(entry) ? nameOf(entry) : undefined;
        return name === undefined ? [] : [{ what, name, described: false }];
      });
    }),
  );
  return lists.flat();
}
