import { setImmediate as turn } from "node:timers/promises";
import { addressKey } from "../../model/addresses/address.ts";
import { concerns } from "../../planning/concerns/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { type Organization, unknownOrganization } from "../../state/organization.ts";
import {
  deletes,
  type Goal,
  isChange,
  makes,
  type Pass,
  type Plan,
  planPass,
  type Policy,
  wavesOf,
} from "../../planning/plan/index.ts";
import type { Run } from "../../operations/index.ts";

/** How often one plan reads a list, which can expire meanwhile: this limit stops endless reading. */
const mostReads = 3;

/** Plans, reads what the planner needs, level by level and in parallel, and repeats that until it needs nothing. */
export async function makePlan(
  run: Pick<Run, "client" | "live">,
  organization: Organization,
  goal: Goal,
  resources: readonly DesiredResource[],
  policy: Policy,
  plannedAt?: number,
): Promise<Plan> {
  const pass = await lastPass(run, organization, goal, resources, policy, plannedAt);
  const { extent: cached } = run.live.parts;
  await run.live.parts.save();
  const longLists = run.live.longLists(run.client.pageSize);
  const { actions, problems, notes, unmanaged, unread, at, whole } = pass;
  const secretValues = new Map(resources.flatMap((resource) => [...resource.secretValues]));
  const declared = new Map(resources.map((resource) => [addressKey(resource.address), resource]));
  return {
    goal,
    organization,
    actions,
    problems,
    notes,
    ...(policy.isForThisRun && { isForThisRun: true }),
    unmanaged,
    unread,
    isStrict: policy.strict,
    at,
    whole: () => whole,
    spent: run.client.spent.total,
    ...(longLists.size > 0 && { longLists }),
    ...(cached && { cached }),
    secretValues,
    waveOf: wavesOf(resources),
    positionOf: (address, path) => declared.get(addressKey(address))?.position(path),
  };
}

/** The pass of planning without needs; `plannedAt`: the time for which it plans, default: now, by the server's clock. */
export async function lastPass(
  { client, live }: Pick<Run, "client" | "live">,
  organization: Organization,
  goal: Goal,
  resources: readonly DesiredResource[],
  policy: Policy,
  plannedAt?: number,
): Promise<Pass & { at: number }> {
  live.parts.forgetAged(client.serverTime);
  const requested = new Map<string, number>();
  for (;;) {
    // Many documents and conditions take time: other work of the process, such as the page, comes between two passes.
    await turn();
    const now = plannedAt ?? client.serverTime;
    const pass = planPass(goal, resources, { organization, now, ...live.known() }, policy, concerns);
    const { needs, concerned, declaredOf } = pass;
    // A plan acts only on resources that were read for it; cached ones lead to no action.
    const losers = policy.isForThisRun ? [] : losing(pass);
    if (!needs && live.parts.extent && live.parts.doubt(concerned, losers, shownBy(pass))) continue;
    if (
      !needs &&
      restsOnAbsence(goal, resources, policy, pass) &&
      (await live.complete(client, organization.id))
    )
      continue;
    if (!needs) return { ...pass, at: now };
    const names = [...needs.names].toSorted().join(", ");
    const times = (requested.get(names) ?? 0) + 1;
    requested.set(names, times);
    if (times > mostReads)
      throw new Error(
        `internal error: the planner asks again for lists that were read ${mostReads} times: ${names}; please report it with the documents that you planned`,
      );
    const isThere = await live.read(client, organization.id, needs, declaredOf);
    if (!isThere) throw unknownOrganization(organization);
  }
}

/** Whether a pass would differ if a list lacked something: it creates or deletes, or tells what else exists. */
function restsOnAbsence(
  goal: Goal,
  resources: readonly DesiredResource[],
  { prune, strict }: Policy,
  { actions }: Pass,
): boolean {
  return (
    goal === "destroy" ||
    strict ||
    actions.some((action) => makes(action) || deletes(action)) ||
    (prune && resources.some(({ manage }) => manage.prune))
  );
}

function losing({ actions }: Pass): string[] {
  return actions.flatMap(({ losses }) => losses.flatMap(({ owner }) => owner?.id ?? []));
}

/** The parts of a pass that may contain values of live resources. */
function shownBy({ actions, problems, notes, differences }: Pass): unknown {
  const differing = differences.map(({ changes, undeclared }) => ({ changes, undeclared }));
  return [actions.filter(isChange), problems, notes, differing];
}
