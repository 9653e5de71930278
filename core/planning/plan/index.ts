import { type Address, formatAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import { distinctBy, type Fields } from "../../values/json.ts";
import type { LiveResource } from "../../state/live/index.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Action, Goal } from "./action.ts";
import { concernedIn } from "./affected-resources.ts";
import { noteUndeployed, planDeployments } from "./deploy.ts";
import { lostResourcesOf } from "./lost-resources.ts";
import type { Difference, PassNeeds, Refusal } from "./findings.ts";
import type { LiveState } from "./live-state.ts";
import { withLosses } from "./ledger.ts";
import type { Policy } from "./policy.ts";
import { reconcile } from "./reconcile.ts";
import { withReach } from "./inherited-parts.ts";
import { destroy, prune } from "./remove.ts";
import { type Concern, forbidden, type Planning, startPlanning, type Whole } from "./planning.ts";
import type { Plan } from "./plan.ts";
import { inWaves, wavesOf } from "./waves.ts";
import { shownChange, shownValue } from "../../rules/credentials.ts";

/** The result of one pass of planning. It is final only without `needs`. */
export interface Pass extends Required<
  Pick<Plan, "actions" | "problems" | "notes" | "unmanaged" | "unread">
> {
  /** The problems that are mistakes of a document, each with its refusal. */
  refusals: ReadonlyMap<Problem, Refusal>;
  differences: readonly Difference[];
  /** Undefined: the plan is complete. */
  needs: PassNeeds | undefined;
  /** Whether its verdict depends on unknown names of parents. */
  needsNames: boolean;
  whole: Whole;
  /** The ids of the live resources of the actions and the problems. */
  concerned: ReadonlySet<string>;
  /** The declared fields of a live resource, of each of its documents. */
  declaredOf(resource: LiveResource): readonly Fields[];
}

/** Plans with the known live state, without I/O. The caller reads the result's `needs` and calls again, until there are none. */
export function planPass(
  goal: Goal,
  resources: readonly DesiredResource[],
  live: LiveState,
  policy: Policy,
  concerns: readonly Concern[],
): Pass {
  const planning = startPlanning(resources, live, policy, concerns);
  const planned = goal === "destroy" ? destroy(planning) : reconcileAll(planning);
  const { findings, inventory } = planning;
  const lostResources = lostResourcesOf(inventory, planned);
  const found = withReach(planning, withLosses(planning, planned, lostResources));
  /** Concerns whose needs are unmet and will not be read: they judge nothing. */
  const unmet = new Set(
    concerns.filter(({ need }) => {
      const before = findings.requested;
      need?.({ planning, goal, actions: planned, lostResources });
      return findings.requested > before;
    }),
  );
  const actions = policy.withCauses?.(found) ?? found;
  const judging = concerns.filter((concern) => !unmet.has(concern));
  const whole = { planning: { ...planning, concerns: judging }, goal, actions, lostResources };
  const { needs } = findings;
  const problems =
    needs && !live.isFinal
      ? []
      : [
          ...findings.problems,
          ...judging.flatMap(({ object }) => object?.(whole) ?? []),
          ...forbidden(whole),
        ];
  return {
    actions,
    problems: distinct(problems),
    refusals: findings.refusals,
    notes: distinct(findings.notes),
    differences: findings.differences,
    unmanaged: findings.unmanaged,
    unread: findings.unread,
    needs,
    needsNames: live.isUnnamed === true && judging.some((concern) => concern.needsNames?.(whole)),
    whole,
    concerned: needs ? new Set() : concernedIn(inventory, actions, problems),
    declaredOf: ({ id }) => (inventory.byId.get(id)?.documents ?? []).map(({ declared }) => declared),
  };
}

/** Changes of declared resources, then their deployments, then prunes. */
function reconcileAll(planning: Planning): Action[] {
  const changes = reconcile(planning);
  for (const { remark } of planning.concerns) remark?.(planning, changes);
  const waveOf = wavesOf(planning.resources);
  const deployments = planDeployments(planning, changes, waveOf);
  noteUndeployed(planning, changes, deployments);
  return [...inWaves([...changes, ...deployments], waveOf), ...prune(planning)];
}

function distinct<Value extends { message: string; address?: string | Address | undefined }>(
  values: readonly Value[],
): Value[] {
  const keyOf = ({ address = "", message }: Value) =>
    `${typeof address === "string" ? address : formatAddress(address)} ${message}`;
  return distinctBy(keyOf, values);
}

export * from "./action.ts";
export * from "./action-types.ts";
export { type Answer, collect, open } from "./answer.ts";
export * from "./plan.ts";
export {
  type CausedLoss,
  countedLossesOf,
  isCounted,
  lossesByResource,
  lossesOf,
  type ResourceLosses,
  titleOf,
} from "./losses.ts";
export { byResource } from "./by-resource.ts";
export { lossLists } from "./loss-lists.ts";
export {
  isForGood,
  type Loss,
  lossSorts,
  needsConsent,
  type LossSubject,
  subjectOf,
  wordsFor,
} from "../../model/loss.ts";
export { type Cost, costOf, costOfAction } from "./cost.ts";
export type { Difference, Refusal } from "./findings.ts";
export type { LiveState } from "./live-state.ts";
export {
  type DeletionCaps,
  defaultCaps,
  defaultPolicy,
  type OwnInventory,
  type Policy,
  type PolicyInForce,
  restrictionsOf,
  type RulesBefore,
} from "./policy.ts";
export { isDeclaredIn, rulesBefore, strictest, withRulesBefore } from "./rules-before.ts";
export { idleTargets, isTarget } from "./documents.ts";
export { type Concern, forbidden, type Operation, startPlanning, type Whole } from "./planning.ts";
export { unmanagedResources } from "./unmanaged-resources.ts";
export {
  type Unread,
  type UnmanagedState,
  uncheckedText,
  unmanagedCounts,
  unmanagedIn,
  unmanagedText,
} from "./unmanaged-state.ts";
export { secretsWritten, type WrittenSecret } from "./secrets.ts";
export type { Wave, WaveOf } from "./wave.ts";
export { wavesOf } from "./waves.ts";
export { circleIn, placeKey, touches, waitsForOthers } from "./order.ts";
export { type ResourceIdentity, takeInventory } from "./inventory.ts";

/** An action as output shows it: a placeholder replaces each readable credential. */
export function shownAction<One extends Action>(action: One): One {
  const { address, declared, expected, changes, credentials } = action;
  const { kind } = address;
  return {
    ...action,
    declared: shownValue(kind, [], declared, credentials),
    expected: shownValue(kind, [], expected, credentials),
    changes: changes.map((change) => shownChange(kind, change, credentials)),
  };
}
