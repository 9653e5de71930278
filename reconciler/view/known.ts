import { QuotaError } from "../../core/api/index.ts";
import type { Known, LiveStore } from "../../core/state/live/index.ts";
import type { Action, Plan, Unread } from "../../core/planning/plan/index.ts";
import { everything, type PlanTargets, scopeOf } from "../decide/index.ts";
import { type Share, shareKeyOf, shareOf } from "../policy/index.ts";
import { nameKey } from "../../core/model/addresses/names.ts";

/** The plans that the available requests suffice for. */
export interface PlannedShares<Planned> {
  known: Share[];
  planned: Planned;
}

/** Plans a scope, and reads what that needs. @throws QuotaError when it would have to read more than it may */
export type PlanScope<Planned> = (scope: PlanTargets) => Promise<Planned>;

/**
 * Plans everything, or, where the requests do not suffice to read all of it, the shares of which everything is known. What
 * was read is known from then on, also where it did not suffice.
 *
 * @param first the shares that were known before, or that somebody asks for
 * @param plan how these are planned
 * @param planMore how all others are planned: with requests that are not kept back for the first ones; undefined if there are
 *   none now
 */
export async function planKnown<Planned>(
  shares: readonly Share[],
  first: readonly Share[],
  plan: PlanScope<Planned>,
  planMore: PlanScope<Planned> | undefined,
): Promise<PlannedShares<Planned>> {
  const isAll = first.length === shares.length;
  const planned =
    first.length === 0 ? undefined : await unlessShort(plan(isAll ? everything : scopeOf(first, shares)));
  if (planned && (isAll || !planMore)) return { known: [...first], planned };
  const whole = planMore && !isAll ? await unlessShort(planMore(everything)) : undefined;
  if (whole) return { known: [...shares], planned: whole };
  const known: Share[] = [];
  for (const share of planMore ? shares : first)
    if (
      (planned && first.includes(share)) ||
      (await unlessShort((planMore ?? plan)(scopeOf([share], shares))))
    )
      known.push(share);
  const together = await unlessShort(plan(scopeOf(known, shares)));
  return together ? { known, planned: together } : { known: [], planned: await plan(scopeOf([], shares)) };
}

async function unlessShort<Planned>(planning: Promise<Planned>): Promise<Planned | undefined> {
  try {
    return await planning;
  } catch (error) {
    if (error instanceof QuotaError) return undefined;
    throw error;
  }
}

/** The ids of the environments and projects that actions are in, by the keys of the shares. */
export function parentIds(actions: readonly Action[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { address, resourceId, parent } of actions) {
    const { key, names } = shareOf(address);
    const id = address.names.length === names.length ? resourceId : "id" in parent ? parent.id : undefined;
    if (id !== undefined) ids.set(key, id);
  }
  return ids;
}

/** What a plan has not read and nobody has since: statuses are read after it. */
export function stillUnread(
  { actions, unread }: Pick<Plan, "actions" | "unread">,
  { statuses }: Known,
): Unread[] {
  const ids = parentIds(actions);
  return (unread ?? []).filter(
    ({ address, sort }) => sort !== "deployments" || !statuses.has(ids.get(shareOf(address).key) ?? ""),
  );
}

/** The environments of some ids, as far as their names are known. */
export function sharesIn(shares: readonly Share[], ids: ReadonlySet<string>, { contents }: Known): Share[] {
  const names = new Map(
    [...contents.values()].flatMap(({ resources }) => resources.map(({ id, name }) => [id, name] as const)),
  );
  const keys = new Set(
    [...contents].flatMap(([parentId, { resources }]) =>
      resources
        .filter(({ id }) => ids.has(id))
        .map(({ name }) => shareKeyOf([names.get(parentId) ?? "", name])),
    ),
  );
  return shares.filter(({ key }) => keys.has(key));
}

/** The ids of the environment or the project with these names; empty if it is not known. */
export function idsNamed(live: LiveStore, organizationId: string, names: readonly string[]): string[] {
  let ids = [organizationId];
  for (const name of names)
    ids = ids.flatMap((id) =>
      (live.known().contents.get(id)?.resources ?? [])
        .filter((resource) => nameKey(resource.name) === nameKey(name))
        .map((resource) => resource.id),
    );
  return ids;
}
