import { type Address, type AnyAddress, formatAddress } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import type { Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";

/** What holds a resource: known by id, or made by the action of that id. */
export type ParentReference = { id: string } | { madeBy: string };

/** Of what a clone is made: known by id, made by the action of that id, or brought by the clone of that action. */
export type SourceReference = ParentReference | { broughtBy: string };

/** Something that goes with a resource that is deleted: a service inside it, a variable, a domain. */
export interface Loss {
  /** `variable`, `custom domain`, or the type of a service. */
  what: string;
  name: string;
  /** Of a resource: its address, as the plan has it. */
  address?: AnyAddress;
  /** Of a resource: the address that it has now, where that is another. */
  liveAddress?: AnyAddress;
  /** Of a resource. */
  id?: string;
  /** Whether it is made again, by an action of its own. */
  described: boolean;
}

interface ActionBase {
  /** Unique in the plan, and nothing more: a resource can have several actions. */
  id: string;
  /** The resource that it is about. */
  address: Address;
  parent: ParentReference;
  /** The ids of the actions that have to be done before. */
  after: string[];
  /**
   * The id of the action whose request brings the resource or takes it along: the clone of its parent, or the deletion
   * or replacement of that. What is left of this action follows: a change of what came, making again what went.
   */
  alongWith?: string;
}

/** The clone that may still bring a resource: an earlier run has asked for it. */
export interface MayComeWith {
  address: Address;
  /** When the server says that it was made; until the time limit of a clone is over, the resource is waited for. */
  since: string;
}

/** Makes a resource that does not exist. */
export interface CreateAction extends ActionBase {
  type: "create";
  mayComeWith?: MayComeWith;
  /** What it is made with, and what the plan expects it to be; references are `{id, name}`. */
  expected: Fields;
}

/** Makes a resource as a clone, then changes what is stated otherwise. */
export interface CloneAction extends ActionBase {
  type: "clone";
  mayComeWith?: MayComeWith;
  source: { address: Address } & SourceReference;
  /** What is laid over the clone. */
  stated: Fields;
  /** In what it will differ from its source. */
  changes: FieldChange[];
  /** The services that come with it: those of its source. `kind` is `Job`, or the type of a service without a kind. */
  brings: { kind: string; name: string }[];
  /** What the plan expects it to be. */
  expected: Fields;
}

/** Changes fields of a resource. */
export interface UpdateAction extends ActionBase {
  type: "update";
  /** Absent: the resource comes with a clone of the same run. */
  resourceId?: string;
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
  /** Of the resource that is deleted. */
  resourceId: string;
  /** What it is made with, and what the plan expects it to be. */
  expected: Fields;
  changes: FieldChange[];
  /** Why an update cannot do it. */
  reasons: string[];
  /** The address that it has now, where that is another. */
  liveAddress?: AnyAddress;
  /** All that goes with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of what it contains now, all levels deep. */
  contentIds: string[];
  fingerprint: string;
}

/** Deletes a resource. */
export interface DeleteAction extends ActionBase {
  type: "delete";
  resourceId: string;
  reason: "prune" | "destroy";
  /** The address that it has now, where that is another. */
  liveAddress?: AnyAddress;
  /** All that goes with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of what it contains now, all levels deep. */
  contentIds: string[];
  fingerprint: string;
}

/** Why something is deployed: this plan makes or changes it, or what runs is not what the API holds. */
export type DeployReason = "changed" | "never_deployed" | "out_of_date";

/**
 * Deploys a service, or all of an environment that this plan clones. Those of one environment go with one request, that of
 * the action which the others name in `alongWith`, once everything that is changed in it has been changed.
 */
export interface DeployAction extends ActionBase {
  type: "deploy";
  /** What is deployed: known by id, or made by the action of that id. */
  subject: ParentReference;
  reason: DeployReason;
}

/** Nothing to do. */
export interface NoChangeAction extends ActionBase {
  type: "none";
  /** Absent: the resource comes with a clone of the same run. */
  resourceId?: string;
}

export type Action =
  | CreateAction
  | CloneAction
  | UpdateAction
  | ReplaceAction
  | DeleteAction
  | DeployAction
  | NoChangeAction;

/** Something that the plan mentions and does nothing about. */
export interface Note {
  address?: Address;
  message: string;
  /** What could be done about it. */
  remedies?: readonly Remedy[];
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
  /** Requests that were spent on making it. */
  spent: number;
}

/** The id of the action of that type on a resource. */
export function actionId(type: Action["type"], address: Address): string {
  return `${type} ${formatAddress(address)}`;
}

/** How often each type of action occurs. */
export function countActions(actions: readonly Action[]): Record<Action["type"], number> {
  const counts: Record<Action["type"], number> = {
    create: 0,
    clone: 0,
    update: 0,
    replace: 0,
    delete: 0,
    deploy: 0,
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
