import type { KnownCredentials } from "../../redaction/known-credentials.ts";
import { type Address, type AnyAddress, formatAddress } from "../../model/addresses/address.ts";
import type { noteCodes } from "../../problems/codes.ts";
import type { FieldChange } from "../../model/fields/compare.ts";
import type { Fields } from "../../values/json.ts";
import type { Remedy } from "../../problems/remedy.ts";
import type { Message } from "../../problems/say.ts";
import type { Loss } from "../../model/loss.ts";
import { type ActionType, allActionTypes, deletes, updates } from "./action-types.ts";

/** The parent of a resource: its id, or the id of the action that creates it. */
export type ParentReference = { id: string } | { madeBy: string };

/** The source of a clone, or a parent: its id, or the action that creates it, alone or with its parent. */
export type SourceReference = ParentReference | { madeWith: string };

/** A clone that an earlier run has requested and that may still create a resource. */
export interface PendingClone {
  address: Address;
  /** The creation time of the clone, by the server. The run waits for the resource until the time limit of clones. */
  since: string;
  /** The creation time of its newest service, if it has any: the run then waits only for a moment. */
  last?: string | undefined;
}

/** Parts of one sort that come with a clone. */
export interface CarriedParts {
  sort: string;
  keys: string[];
  /** Whether the values can be read. The server copies them in any case. */
  isReadable: boolean;
}

/** Why a service is deployed: this plan changes it, it was not deployed or failed, is older, or its environment has changed. */
export const deployReasons = [
  "changed",
  "never_deployed",
  "out_of_date",
  "failed",
  "changed_around",
] as const;

/** One of `deployReasons`. */
export type DeployReason = (typeof deployReasons)[number];

/** Why a resource is deleted. */
export const deleteReasons = ["prune", "destroy"] as const;

/** One of `deleteReasons`. */
export type DeleteReason = (typeof deleteReasons)[number];

/** `commit`: the declaration has changed or expired. `retry`: a failed deployment again. `drift`: somebody changed it live. */
export type Cause = "commit" | "drift" | "retry";

/** One action of a plan. A member that its type does not have is empty or undefined. */
export interface Action {
  type: ActionType;
  /** Unique in the plan. Do not parse it: a resource can have several actions. */
  id: string;
  address: Address;
  parent: SourceReference;
  /** The ids of the actions that this one waits for. */
  after: string[];
  /** Waits for the other actions of its environment, even if they fail, so that a failed run leaves much in place. */
  afterOthers: boolean;
  /** The action whose request carries out a part of this one: the clone or deletion of the parent, or the first deployment. */
  carriedOutBy?: string | undefined;
  /** The id of the live resource; undefined if this plan makes it. */
  resourceId?: string | undefined;
  /** Undefined in a run that a person starts: everything follows from the documents. */
  cause?: Cause | undefined;
  /** Credentials that the server has shown: output leaves them out. In no JSON. */
  credentials?: KnownCredentials | undefined;
  /** The live address, if it differs. */
  liveAddress?: AnyAddress | undefined;
  /** The fingerprint of the live resource before the action. */
  fingerprint?: string | undefined;
  /** The clone of an earlier run that may still create the resource. */
  pendingClone?: PendingClone | undefined;
  /** Of a clone: the resource that it copies. */
  source?: ({ address: Address } & SourceReference) | undefined;
  declared: Fields;
  /** Of a clone: the differences from its source. */
  changes: FieldChange[];
  /** The expected fields after the action; references are `{id, name}`. */
  expected: Fields;
  /** The services that a clone copies. `kind` is `Job`, or the type of an unknown service. */
  brings: { kind: string; name: string }[];
  /** The parts that the server copies with a clone, by sort: `variable`. */
  carries: CarriedParts[];
  reasons: string[];
  reason?: DeleteReason | DeployReason | undefined;
  /** Everything that the action deletes, shrinks or makes unreadable, except resources with their own action. */
  losses: Loss[];
  /** Of a deletion: the ids of all contents, at all levels. */
  contentIds: string[];
  /** The services that get the changes with their next deployment; an environment stands for all of its services. */
  reaches: Address[];
  /** The deployed service or environment: its id, or the id of the action that creates it. */
  subject?: ParentReference | undefined;
}

/** An action of these types. */
export type ActionOf<Type extends ActionType> = Action & { type: Type };

/** An action on a live resource. */
export type LiveAction = Action & { resourceId: string };

/** An update of a resource that exists before the run. */
export type LiveUpdate = ActionOf<"update"> & { resourceId: string };

/** A deletion or a replacement of a live resource. */
export type LiveDeletion = ActionOf<"delete" | "replace"> & { resourceId: string };

/** The type and the resource of an action, and the members of its type. */
export type ActionParts = Pick<Action, "type" | "address" | "parent"> & Partial<Action>;

/** An action with every member. */
export function makeAction(parts: ActionParts): Action {
  return {
    id: actionId(parts.type, parts.address),
    after: [],
    afterOthers: false,
    declared: {},
    changes: [],
    expected: {},
    brings: [],
    carries: [],
    reasons: [],
    losses: [],
    contentIds: [],
    reaches: [],
    ...parts,
  };
}

/** Whether an action updates a resource that exists before the run. */
export function isLiveUpdate(action: Action): action is LiveUpdate {
  return updates(action) && action.resourceId !== undefined;
}

/** A remark for the user that leads to no action. */
export interface Note {
  code: keyof typeof noteCodes;
  /** Names no flag or command of a front end. */
  message: string;
  /** The message as data, where front ends phrase a part of it. */
  said?: Message;
  /** The paths of the unknown values on which the note depends; absent: none. */
  unknown?: readonly (readonly string[])[];
  address?: Address;
  resources?: readonly Address[];
  remedies?: readonly Remedy[];
  /** Of a saved plan: the advice of the front end that saved it. */
  advice?: string | undefined;
  /** This change lifts the rule that keeps the resource. */
  isLifted?: true | undefined;
  /** Of a restriction that matches nothing here: it may match in another run. */
  isShared?: true;
}

/** `reconcile` makes live resources match the documents; `destroy` deletes the declared resources. */
export type Goal = "reconcile" | "destroy";

/** The id of the action of a type on a resource. */
export function actionId(type: ActionType, address: Address): string {
  return `${type} ${formatAddress(address)}`;
}

/** Counts the actions of each type. */
export function countActions(actions: readonly Pick<Action, "type">[]): Record<ActionType, number> {
  const counts = Object.fromEntries(allActionTypes.map((type) => [type, 0])) as Record<ActionType, number>;
  for (const { type } of actions) counts[type] += 1;
  return counts;
}

/** Counts the resources that are deleted with their parent, without an action of their own. */
export function countLosses(actions: readonly Action[]): number {
  return actions
    .filter(deletes)
    .flatMap(({ losses }) => losses)
    .filter(({ id, recreated }) => id !== undefined && !recreated).length;
}
