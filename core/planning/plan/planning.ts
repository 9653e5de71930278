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

/** The state of one pass of planning: its inputs, the expected resources, and the findings. */
export interface Planning {
  readonly resources: readonly DesiredResource[];
  readonly live: LiveState;
  readonly policy: Policy;
  /** The live resources, each with all its names. */
  readonly inventory: Inventory;
  readonly expectations: Expectations;
  readonly findings: Findings;
  /** In the order in which they are asked. */
  readonly concerns: readonly Concern[];
}

/** A step of the planning of a resource. */
interface Step<Arguments extends unknown[], Result> {
  /** For each base, whether the step runs, or why it does not. */
  on: Readonly<Record<Base, true | string>>;
  /** What the concern says of it. */
  run(planning: Planning, ...given: Arguments): Result;
}

/** Something that cuts across kinds, with all that it has to say: about each resource, and about a plan as a whole. */
export interface Concern {
  name: string;
  /**
   * Whether it is asked for programs too, which state one resource at a time and have a state of their own; otherwise, why
   * not.
   */
  programs: true | string;
  /** Adds fields to the overlay. */
  state?: Step<[Overlay], Answer<AddedState>>;
  /** Adds changes, or adds to their description. */
  compare?: Step<[Overlay & Pick<Comparison, "wanted">, readonly FieldChange[]], readonly FieldChange[]>;
  /** Finds problems. Every concern is asked, whatever others have found. */
  refuse?: Step<[Comparison], Answer<readonly Refusal[]>>;
  /** Tells a reader of the plan about something that leads to no action. */
  note?: Step<[Comparison], void>;
  /**
   * Whether a prune leaves a resource alone. Says why.
   *
   * @param by the document that allows the prune
   */
  spare?(planning: Planning, unmanaged: UnmanagedResource, by: DesiredResource): boolean;
  /** Tells a reader what leads to no action, once all resources are planned. */
  remark?(planning: Planning, changes: readonly Action[]): void;
  /** Asks for the state that has to be read before the plan can be judged. */
  need?(whole: Whole): void;
  /** Whether its verdict depends on the names of what the resources are in. Absent: it does not. */
  needsNames?(whole: Whole): boolean;
  /** Finds problems of the plan as a whole. */
  object?(whole: Whole): Problem[];
  /** Finds forbidden actions of a plan: a consent is missing, a resource is protected, too much would be lost. */
  guard?(whole: Whole): Problem[];
}

/** All that a run does, about which the gate asks every concern. */
export interface Whole {
  planning: Planning;
  goal: Goal;
  actions: readonly Action[];
  lostResources: readonly LostResource[];
  /** What it deploys, stops, restarts or cancels without a plan of documents; absent: nothing. */
  operation?: Operation;
}

/** Orders about live services, and the patterns with which a person has chosen the services. */
export interface Operation {
  orders: readonly DeploymentOrder[];
  chosenBy: readonly Pattern[];
  /** How many requests they take. */
  requests: number;
}

/** The question of the gate: asks every concern for what it forbids of a run. Each answer keeps the run from being carried out. */
export function forbidden(whole: Whole): Problem[] {
  return whole.planning.concerns.flatMap(({ guard }) =>
    (guard?.(whole) ?? []).map((problem) => ({ ...problem, blocks: "apply" as const })),
  );
}

/** A live resource that no document describes, and the address under which a run would delete it. */
export interface UnmanagedResource {
  target: Address;
  live: LiveResource;
  identity: ResourceIdentity;
}

/** Begins to plan documents with what is known of the server, by the concerns that are asked. */
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
