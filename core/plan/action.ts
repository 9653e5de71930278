import type { FieldChange } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";

/** What holds a resource: known by id, or made by the action of that address. */
export type ParentReference = { id: string } | { address: string };

/** Something that goes with a resource that is deleted: a service inside it, a variable, a domain. */
export interface Loss {
  /** `variable`, `custom domain`, or the type of a service. */
  what: string;
  name: string;
  /** Of a resource: its address, as the plan has it. */
  address?: string;
  /** Of a resource: the address that it has now, where that is another. */
  liveAddress?: string;
  /** Of a resource. */
  id?: string;
  /** Whether it is made again, by an action of its own. */
  described: boolean;
}

interface ActionBase {
  /** `job:shop/staging/nightly-report`. */
  address: string;
  /** `Job`. */
  kind: string;
  name: string;
  parent: ParentReference;
  /** Addresses of the actions that have to be done before. */
  after: string[];
  /** Requests that it will cost. */
  cost: number;
}

/** The clone that is bringing a resource, perhaps: an earlier run has asked for it. */
export interface MayComeWith {
  address: string;
  /** When the server says that it was made; until the time limit of a clone is over, the resource is waited for. */
  since: string;
}

/** Makes a resource that does not exist. */
export interface CreateAction extends ActionBase {
  type: "create";
  mayComeWith?: MayComeWith;
  /** What it is made with; references are `{id, name}`. */
  fields: Fields;
}

/** Makes a resource as a clone, then changes what is stated otherwise. */
export interface CloneAction extends ActionBase {
  type: "clone";
  mayComeWith?: MayComeWith;
  source: { address: string; id?: string };
  /** What is laid over the clone. */
  stated: Fields;
  /** In what it will differ from its source. */
  changes: FieldChange[];
  /** The services that come with a clone: those of its source. */
  contents: { kind: string; name: string }[];
  /** What the plan expects it to be. */
  expected: Fields;
}

/** Changes fields of a resource. */
export interface UpdateAction extends ActionBase {
  type: "update";
  /** Absent: the resource comes with a clone of the same run. */
  id?: string;
  stated: Fields;
  changes: FieldChange[];
  /** What the plan expects it to be. */
  expected: Fields;
  /** Of the state that the changes start from; absent where that comes with a clone. */
  fingerprint?: string;
}

/** Deletes a resource and makes it again with what it has and what is stated. */
export interface ReplaceAction extends ActionBase {
  type: "replace";
  id: string;
  /** What it is made with. */
  fields: Fields;
  changes: FieldChange[];
  /** Why an update cannot do it. */
  reasons: string[];
  /** The address that it has now, where that is another. */
  liveAddress?: string;
  /** All that goes with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of what it contains now, all levels deep. */
  contents: string[];
  /** The address of the replacement that deletes it already. */
  removedBy?: string;
  fingerprint: string;
}

/** Deletes a resource. */
export interface DeleteAction extends ActionBase {
  type: "delete";
  id: string;
  reason: "prune" | "destroy";
  /** The address that it has now, where that is another. */
  liveAddress?: string;
  /** All that goes with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of what it contains now, all levels deep. */
  contents: string[];
  /** The address of the deletion that takes it along. */
  removedBy?: string;
  fingerprint: string;
}

/** Nothing to do. */
export interface NoChangeAction extends ActionBase {
  type: "none";
  id?: string;
  /** The address of the clone that it comes with. */
  comesWith?: string;
}

export type Action =
  | CreateAction
  | CloneAction
  | UpdateAction
  | ReplaceAction
  | DeleteAction
  | NoChangeAction;

/** Something that the plan mentions and does nothing about. */
export interface Note {
  address?: string;
  message: string;
  /** What could be done about it. */
  remedies?: readonly Remedy[];
}

/** How many requests a plan costs. */
export interface Cost {
  /** What was spent on making the plan. */
  planning: number;
  /** What carrying it out will cost, as far as can be told. */
  applying: number;
}

/** What is wanted: that the organization is as described, or that what is described is gone. */
export type Goal = "reconcile" | "destroy";

/** What will be done, in an order in which it can be done. */
export interface Plan {
  goal: Goal;
  organization: { id: string; name?: string };
  actions: Action[];
  /** What forbids the plan: nothing is carried out while there are any. */
  problems: Problem[];
  notes: Note[];
  cost: Cost;
}

/** How often each type of action occurs. */
export function countActions(actions: readonly Action[]): Record<Action["type"], number> {
  const counts: Record<Action["type"], number> = {
    create: 0,
    clone: 0,
    update: 0,
    replace: 0,
    delete: 0,
    none: 0,
  };
  for (const { type } of actions) counts[type] += 1;
  return counts;
}

/** How many resources go with those that are deleted or replaced, without an action of their own. */
export function countLosses(actions: readonly Action[]): number {
  return actions.reduce((sum, action) => {
    const losses = action.type === "delete" || action.type === "replace" ? action.losses : [];
    return sum + losses.filter(({ id, described }) => id !== undefined && !described).length;
  }, 0);
}

/** Whether carrying out the plan would change anything. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(({ type }) => type !== "none");
}

/** For the default branch of a switch over a closed union. */
export function unreachable(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}
