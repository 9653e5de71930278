import { type Address, addressKey, formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, deploys, isChange, type OwnInventory } from "../../core/planning/plan/index.ts";
import type { Organization } from "../../core/state/organization.ts";
import { propose, type Proposal, type Run, withProblems } from "../../core/execution/session/index.ts";
import { isOfCommit, isRetryDue, type PlanTargets, withCauses } from "../decide/index.ts";
import type { Memory, SeenSecret } from "../memory/index.ts";
import { type CommitRules, changesBeyond, withIgnored } from "../people/index.ts";
import type { Requests } from "../requests/index.ts";
import { type Rules, rulesOfPauses, environmentOf, sparedBy, withoutPruning } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { digestsOf, documentDigests } from "./digests.ts";
import type { FirstRefresh } from "./first-refresh.ts";
import type { InForce } from "./in-force.ts";
import { liveRules } from "./live-rules.ts";
import { lossesOfRollbacks, type WithRollbacks } from "./rollback.ts";
import { chosen, secretsSeen, withValues } from "./secrets.ts";
import type { ViewSettings } from "./settings.ts";

/** The inputs of planning in a scope, beside live state. */
export interface ScopePlanning extends Pick<ViewSettings, "clock" | "operator"> {
  organization: Organization;
  inForce: InForce;
  rolledBack: WithRollbacks["rolledBack"];
  commitRules: CommitRules;
  memory: Memory;
  firstRefresh: FirstRefresh;
  requests: Pick<Requests, "requestedIn" | "pauses">;
  /** Whether an earlier cycle still waits for the server in an environment or a project. */
  isAtWork(names: readonly string[]): boolean;
}

/** The scope of a plan, without its key. */
export type PlannableScope = Pick<PlanTargets, "includes" | "leaves">;

/** A plan in a scope, its rules, and the secrets of its resources. */
export interface ScopePlan {
  rulesOf: (names: readonly string[]) => Rules;
  resources: LoadedCommit["resources"];
  proposal: Proposal;
  secrets: readonly SeenSecret[];
}

/** Plans the documents in force in a scope. Secrets with a new source, a new value or a foreign write are written again. */
export async function planScope(
  run: Run,
  planning: ScopePlanning,
  { includes, leaves }: PlannableScope,
): Promise<ScopePlan> {
  const { organization, inForce, commitRules, memory } = planning;
  const knownId = (address: Address) => memory.idOf(address);
  const scoped = { ...inForce.policy, knownId, scope: includes, leaves };
  const rulesOf = await rulesIn(run, { ...planning, inForce: { ...inForce, policy: scoped } });
  const resources = withIgnored(commitRules.ignored, withoutPruning(inForce.commit.resources, rulesOf));
  const inventory = inventoryIn(memory);
  // Causes depend on the documents as loaded, before the operator's changes.
  const now = documentDigests(inForce.commit.resources);
  const causing = (newer?: ReadonlySet<string>, rotated?: ReadonlySet<string>) => {
    const compared = { before: memory.documents, inventory: memory.inventory, now, newer, rotated };
    return { withCauses: (actions: readonly Action[]) => withCauses(actions, compared) };
  };
  const bounded = {
    ...scoped,
    ...causing(),
    readsInside: true,
    inventory,
    spares: sparedBy(rulesOf),
    leavesFailed: leavingFailed(planning, rulesOf),
  };
  const found = await propose(run, organization, "reconcile", resources, bounded);
  const secrets = await withValues(secretsSeen(found.plan, resources, run.live.known()), run.secrets);
  const { again, rotated: all } = memory.secretsToWrite(secrets);
  const isDrift = (each: Action) => isChange(each) && !deploys(each) && !isOfCommit(each);
  const drifted = found.plan.actions.filter(isDrift).map(({ address }) => addressKey(address));
  // A new value is as good as a commit, so it waits until nothing of its resource is drift.
  const waits = new Set([...again.map(({ owner }) => owner), ...drifted]);
  const rotated = all.filter(({ owner }) => !waits.has(owner));
  const newer = await planning.firstRefresh.newer(
    run.client,
    organization.id,
    inForce.commit,
    found.plan.actions,
  );
  const rotate = [...bounded.rotate, ...chosen([...again, ...rotated])];
  const causes = causing(newer, new Set(rotated.map(({ owner }) => owner)));
  const proposed =
    again.length + rotated.length + newer.size === 0
      ? found
      : await propose(run, organization, "reconcile", resources, { ...bounded, ...causes, rotate });
  return {
    rulesOf,
    resources,
    proposal: withProblems(proposed, [
      ...changesBeyond(commitRules.limits, proposed.plan),
      ...lossesOfRollbacks(proposed.plan, planning.rolledBack),
    ]),
    secrets,
  };
}

/** The services with a failed deployment that are not retried now. */
function leavingFailed(
  { inForce, memory, requests, clock }: ScopePlanning,
  rulesOf: ScopePlan["rulesOf"],
): (address: Address) => boolean {
  const digests = digestsOf(inForce.commit.resources);
  return (address) => {
    const { key, names } = environmentOf(address);
    const environment = {
      rules: rulesOf(names),
      digest: digests.get(key) ?? "",
      requested: requests.requestedIn(key),
      rollout: memory.rolloutIn(key),
    };
    return !isRetryDue(formatAddress(address), environment, clock.now());
  };
}

/** The inventory of a source, for plans. */
export function inventoryIn({ inventory }: Pick<Memory, "inventory">): OwnInventory {
  return {
    has: (id) => inventory[id] !== undefined,
    isCopy: (id) => inventory[id]?.isCopy === true,
    hasEntry: (id, member, key) => inventory[id]?.entries?.includes(`${member}.${key}`) === true,
  };
}

async function rulesIn(
  run: Run,
  { organization, inForce: { commit, policy, before }, clock, operator, requests, isAtWork }: ScopePlanning,
): Promise<(names: readonly string[]) => Rules> {
  const declared = await liveRules({
    run,
    organization,
    resources: commit.resources,
    policy,
    commitPolicy: commit.policy,
    before,
    now: clock.now(),
    operator: { ...operator, pauses: rulesOfPauses(requests.pauses) },
  });
  return (names) => {
    const { retry, ...rules } = declared(names);
    // Without deployments, there is nothing to retry.
    return { ...rules, ...(retry && policy.deploy && { retry }), ...(isAtWork(names) && { atWork: true }) };
  };
}
