import { type Address, type AnyAddress, formatAddress } from "../address.ts";
import type { FieldChange } from "../fields/compare.ts";
import type { Fields } from "../json.ts";
import type { Position, Problem } from "../problem.ts";
import type { Remedy } from "../remedy.ts";
import type { Loss } from "../loss.ts";

/** The parent of a resource: its id, or the id of the action that creates it. */
export type ParentReference = { id: string } | { madeBy: string };

/**
 * The source of a clone, or the parent of an action: its id, the id of the action that creates it, or the id of the clone
 * action that brings it.
 */
export type SourceReference = ParentReference | { broughtBy: string };

/** What every action has. */
interface ActionBase {
  /** Unique in the plan, and nothing more: a resource can have several actions. */
  id: string;
  /** The resource of the action. */
  address: Address;
  parent: SourceReference;
  /** The ids of the actions that have to finish before this one starts. */
  after: string[];
  /**
   * The id of the action of the parent whose request carries out part of this action: its clone creates the resource,
   * or its deletion or replacement deletes the resource. This action then sends the rest: an update or a creation.
   */
  alongWith?: string;
}

/** A clone that an earlier run has requested and that may still create a resource. */
export interface MayComeWith {
  address: Address;
  /** When the clone was created, as the server says. The run waits for the resource until the time limit of clones. */
  since: string;
  /** When the newest of its services came with it, if it has some: then the run waits for a moment only. */
  last?: string;
}

/** Creates a resource that does not exist. */
export interface CreateAction extends ActionBase {
  type: "create";
  mayComeWith?: MayComeWith;
  /** The fields of the creation, which the plan expects afterwards; references are `{id, name}`. */
  expected: Fields;
}

/** Parts of one sort that come with a clone. */
export interface CarriedParts {
  sort: string;
  keys: string[];
  /** Whether anybody can read their values. The server copies them in any case. */
  isReadable: boolean;
}

/** Creates a resource as a clone, then updates the fields that its document states differently. */
export interface CloneAction extends ActionBase {
  type: "clone";
  mayComeWith?: MayComeWith;
  source: { address: Address } & SourceReference;
  /** The fields that are overlaid on the clone. */
  stated: Fields;
  /** Its differences from the source. */
  changes: FieldChange[];
  /**
   * The services that the clone creates: copies of those of its source. `kind` is `Job`, or the type of an unknown
   * service.
   */
  brings: { kind: string; name: string }[];
  /** The parts that the server copies from the source itself, by their sorts: `variable`. */
  carries: CarriedParts[];
  /** The fields that the plan expects afterwards. */
  expected: Fields;
}

/** Changes fields of a resource. */
export interface UpdateAction extends ActionBase {
  type: "update";
  /** Absent: a clone of the same run brings the resource. */
  resourceId?: string;
  stated: Fields;
  changes: FieldChange[];
  /** The fields that the plan expects afterwards. */
  expected: Fields;
  /** Everything that becomes unreadable, smaller or gone with the changes, in resources inside too. Absent: nothing. */
  losses?: Loss[];
  /** The services inside that have the changes from their next deployment on; an environment stands for all of its own. */
  reaches?: Address[];
  /** The fingerprint of the resource before the changes; absent if a clone creates the resource. */
  fingerprint?: string;
}

/** Deletes a resource and creates it again with its live fields, overlaid with the stated ones. */
export interface ReplaceAction extends ActionBase {
  type: "replace";
  /** The id of the resource that is deleted. */
  resourceId: string;
  /** The fields of the new resource, which the plan expects afterwards. */
  expected: Fields;
  changes: FieldChange[];
  /** Why an update cannot make the change. */
  reasons: string[];
  /** The present address, if it differs. */
  liveAddress?: AnyAddress;
  /** Everything that is deleted with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of its present contents, all levels deep. */
  contentIds: string[];
  fingerprint: string;
}

/** Deletes a resource. */
export interface DeleteAction extends ActionBase {
  type: "delete";
  /**
   * Whether it also waits for every action that does not wait so, however that ends: what goes wrong before leaves as much
   * as possible in place.
   */
  afterOthers: boolean;
  resourceId: string;
  /** `expired`: its document limits how long it may exist. */
  reason: "prune" | "destroy" | "expired";
  /** The present address, if it differs. */
  liveAddress?: AnyAddress;
  /** Everything that is deleted with it, all levels deep, and has no deletion of its own. */
  losses: Loss[];
  /** The ids of its present contents, all levels deep. */
  contentIds: string[];
  fingerprint: string;
}

/**
 * Why a service is deployed: this plan creates or changes it, its present configuration was never deployed or its
 * deployment failed, an older version of it runs, or something that it has from a resource around it, such as a variable of
 * its environment, has changed since its last deployment.
 */
export const deployReasons = [
  "changed",
  "never_deployed",
  "out_of_date",
  "failed",
  "changed_around",
] as const;

/** Why a plan deploys a service. */
export type DeployReason = (typeof deployReasons)[number];

/**
 * Deploys a service, or all services of an environment that this plan clones. One request deploys the services of one
 * environment, after all changes in it: the request of the action that the others name in `alongWith`.
 */
export interface DeployAction extends ActionBase {
  type: "deploy";
  /** The service or environment: its id, or the id of the action that creates it. */
  subject: ParentReference;
  reason: DeployReason;
}

/** Nothing to do. */
export interface NoChangeAction extends ActionBase {
  type: "none";
  /** Absent: a clone of the same run brings the resource. */
  resourceId?: string;
}

/** One thing that a plan does, or leaves as it is. */
export type Action =
  | CreateAction
  | CloneAction
  | UpdateAction
  | ReplaceAction
  | DeleteAction
  | DeployAction
  | NoChangeAction;

/** The sorts of notes. The JSON page of the documentation explains each. */
export const noteCodes = [
  // What the documents leave out.
  "undescribed_resources",
  "unstated_parts",
  "unstated_field",
  // What is not compared, or not managed.
  "values_not_compared",
  "unmanaged_service",
  "never_deleted",
  // What a prune leaves alone.
  "nothing_to_prune",
  "protected",
  // What anyone can read.
  "credential",
  // What hides something that others rely on.
  "shadowed",
  // Names.
  "not_renamed",
  "old_name_exists",
  // What follows another resource, and what ends by itself.
  "not_followed",
  "expires",
  // What the command would make exists already.
  "exists",
] as const;

/** What a note is about; front ends decide by it, people read the message. */
export type NoteCode = (typeof noteCodes)[number];

/** Something that the user should know about a plan and that leads to no action. */
export interface Note {
  code: NoteCode;
  /** Facts, without a flag or a command of any front end. */
  message: string;
  /** The resource that it is about. */
  address?: Address;
  /** The resources that it is about, all of them, where there are several. */
  resources?: readonly Address[];
  /** What would help. */
  remedies?: readonly Remedy[];
}

/**
 * The goal of a plan. `reconcile`: make the organization match the documents; `destroy`: delete the described
 * resources.
 */
export type Goal = "reconcile" | "destroy";

/** The actions of a run, in a possible order. */
export interface Plan {
  goal: Goal;
  organization: { id: string; name?: string };
  actions: Action[];
  /** The reasons why the plan is forbidden: an apply does nothing while there are any. */
  problems: Problem[];
  notes: Note[];
  /** When it was made, by the clock of the server: milliseconds since 1970. */
  at: number;
  /** Requests spent on planning. */
  spent: number;
  /** The values of secrets that documents state in plain text, by their references; no form of the plan has them. */
  secretValues?: ReadonlyMap<string, string>;
  /** Where the documents state a field of a resource; no form of the plan has it. */
  positionOf?(address: Address, path: readonly string[]): Position | undefined;
}

/** The id of the action of that type on a resource. */
export function actionId(type: Action["type"], address: Address): string {
  return `${type} ${formatAddress(address)}`;
}

/** Counts the actions of each type. */
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

/** Counts the resources that are deleted with their parent, without an action of their own. */
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
