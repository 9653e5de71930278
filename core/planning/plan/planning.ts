import type { Address } from "../../model/addresses/address.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import type { LiveResource } from "../../state/live/index.ts";
import type { DeploymentOrder } from "../../deployments/index.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import type { Problem } from "../../problems/problem.ts";
import type { Action, Goal } from "./action.ts";
import type { Answer } from "./answer.ts";
import type { LostResource } from "./lost-resources.ts";
import { Expectations } from "./expectations.ts";
import { Findings, type Refusal } from "./findings.ts";
import type { LiveState } from "./live-state.ts";
import { type ResourceIdentity, type Inventory, takeInventory } from "./inventory.ts";
import type { Base, Comparison, Overlay, AddedState } from "./overlay.ts";
import type { Policy } from "./policy.ts";

/** The state of one pass: its inputs, the expected resources, and the findings. */
export interface Planning {
  readonly resources: readonly DesiredResource[];
  readonly live: LiveState;
  readonly policy: Policy;
  readonly inventory: Inventory;
  readonly expectations: Expectations;
  readonly findings: Findings;
  readonly concerns: readonly Concern[];
}

/** A step of planning one resource. */
interface Step<Arguments extends unknown[], Result> {
  /** For each base, whether the step runs, or why it does not. */
  on: Readonly<Record<Base, true | string>>;
  /** The answer of the concern. */
  run(planning: Planning, ...given: Arguments): Result;
}

/** A rule that cuts across kinds: its hooks for each resource, and for a plan as a whole. */
export interface Concern {
  name: string;
  /** Whether Pulumi programs ask it too, which declare one resource at a time; otherwise, why not. */
  programs: true | string;
  state?: Step<[Overlay], Answer<AddedState>>;
  /** Changes the comparison, or its description. */
  compare?: Step<[Overlay & Pick<Comparison, "expected">, readonly FieldChange[]], readonly FieldChange[]>;
  /** Finds problems. Every concern is asked, whatever others find. */
  refuse?: Step<[Comparison], Answer<readonly Refusal[]>>;
  /** Adds notes, which lead to no action. */
  note?: Step<[Comparison], void>;
  /** Whether a prune leaves a resource alone; reports why. @param by the document that allows the prune */
  spare?(planning: Planning, unmanaged: UnmanagedResource, by: DesiredResource): boolean;
  /** Adds notes once all resources are planned. */
  remark?(planning: Planning, changes: readonly Action[]): void;
  /** Asks for the state that the verdict on the plan needs. */
  need?(whole: Whole): void;
  /** Whether its verdict depends on the names of parents. Absent: it does not. */
  needsNames?(whole: Whole): boolean;
  /** Finds problems of the whole plan. */
  object?(whole: Whole): Problem[];
  /** Finds forbidden actions of a plan: a missing consent, a protection, an exceeded cap. */
  guard?(whole: Whole): Problem[];
}

/** All effects of a run, about which the gate asks every concern. */
export interface Whole {
  planning: Planning;
  goal: Goal;
  actions: readonly Action[];
  lostResources: readonly LostResource[];
  /** Deployments, stops, restarts and cancellations without a plan of documents; absent: none. */
  operation?: Operation;
}

/** Orders for live services, and the patterns by which a person chose the services. */
export interface Operation {
  orders: readonly DeploymentOrder[];
  chosenBy: readonly Pattern[];
  requests: number;
}

/** The gate: asks every concern for the forbidden actions of a run. Any answer prevents the run. */
export function forbidden(whole: Whole): Problem[] {
  return whole.planning.concerns.flatMap(({ guard }) =>
    (guard?.(whole) ?? []).map((problem) => ({ ...problem, blocks: "apply" as const })),
  );
}

/** An unmanaged live resource, and the address under which a run would delete it. */
export interface UnmanagedResource {
  target: Address;
  live: LiveResource;
  identity: ResourceIdentity;
}

/** Starts to plan documents with the known live state. */
export function startPlanning(
  resources: readonly DesiredResource[],
  live: LiveState,
  policy: Policy,
  concerns: readonly Concern[],
): Planning {
  const findings = new Findings();
  return {
    resources,
    live,
    policy,
    inventory: takeInventory(live, resources),
    expectations: new Expectations(live, findings),
    findings,
    concerns,
  };
}
