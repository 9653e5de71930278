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

/**
 * The source of a clone, or the parent of an action: its id, the id of the action that creates it, or the id of the action
 * that creates it together with its parent.
 */
export type SourceReference = ParentReference | { madeWith: string };

/** A clone that an earlier run has requested and that may still create a resource. */
export interface PendingClone {
  address: Address;
  /** When the clone was created, as the server says. The run waits for the resource until the time limit of clones. */
  since: string;
  /** When the newest of its services was created, if it has any: the run then waits only for a moment. */
  last?: string | undefined;
}

/** Parts of one sort that come with a clone. */
export interface CarriedParts {
  sort: string;
  keys: string[];
  /** Whether anybody can read their values. The server copies them in any case. */
  isReadable: boolean;
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

/** Why a resource is deleted. */
export const deleteReasons = ["prune", "destroy"] as const;

/** Why a plan deletes a resource. */
export type DeleteReason = (typeof deleteReasons)[number];

/**
 * What an action follows from. `commit`: the documents that describe its resource differ from those that were applied there
 * last, or describe it no longer. `expiry`: its time is over, as its document states. `retry`: its deployment has failed, and is
 * started again. `drift`: none of these, so somebody else has changed what is live.
 */
export type Cause = "commit" | "drift" | "retry";

/** What every action has. */
interface ActionBase {
  /** Unique in the plan. Do not parse it: a resource can have several actions. */
  id: string;
  address: Address;
  parent: SourceReference;
  /** The ids of the actions that have to finish before this one starts. */
  after: string[];
  /**
   * Runs last: after all actions that touch its environment and do not run last themselves have ended, whether they
   * succeeded or not. So a failure before it leaves as much as possible in place.
   */
  afterOthers: boolean;
  /**
   * The id of the action whose request carries out part of this action: the clone of the parent creates the resource, the
   * deletion or replacement of the parent deletes it, or the first of several deployments starts them all. This action
   * then sends the rest: an update, a creation, or nothing.
   */
  carriedOutBy: string | undefined;
  /** The id of the live resource; undefined if this plan makes it. */
  resourceId: string | undefined;
  /** What it follows from; undefined: everything follows from the documents, as in a run that a person has started. */
  cause: Cause | undefined;
  /** What the server has told as credentials: whoever shows the action leaves it out. In no JSON. */
  credentials: KnownCredentials | undefined;
}

/** What actions have beside that, by what they do. */
interface ActionMembers {
  /** The present address of the live resource, if it differs. */
  liveAddress: AnyAddress | undefined;
  /** The fingerprint of the live resource before the action. */
  fingerprint: string | undefined;
  /** The clone of an earlier run that may still create the resource. */
  pendingClone: PendingClone | undefined;
  /** Of a clone: the resource that it is a copy of. */
  source: ({ address: Address } & SourceReference) | undefined;
  stated: Fields;
  /** The fields that change; of a clone, those in which it differs from its source. */
  changes: FieldChange[];
  /** The fields that the plan expects afterwards; references are `{id, name}`. */
  expected: Fields;
  /**
   * The services that a clone creates: copies of those of its source. `kind` is `Job`, or the type of an unknown service.
   */
  brings: { kind: string; name: string }[];
  /** The parts that the server copies from the source itself, by their sorts: `variable`. */
  carries: CarriedParts[];
  /** Why an update cannot make the change. */
  reasons: string[];
  /** Why the resource is deleted or deployed. */
  reason: DeleteReason | DeployReason | undefined;
  /**
   * Everything that becomes unreadable, smaller or gone because of the action, all levels deep, except the resource itself
   * and resources with a deletion of their own.
   */
  losses: Loss[];
  /** Of a deletion: the ids of everything in the resource, all levels deep. */
  contentIds: string[];
  /** The services inside that get the changes with their next deployment; an environment stands for all of its services. */
  reaches: Address[];
  /** The deployed service or environment: its id, or the id of the action that creates it. */
  subject: ParentReference | undefined;
}

/** The members that actions of each type have. */
interface MembersByType {
  create: "pendingClone" | "expected";
  clone: "pendingClone" | "source" | "stated" | "changes" | "expected" | "brings" | "carries";
  update: "liveAddress" | "fingerprint" | "stated" | "changes" | "expected" | "losses" | "reaches";
  replace:
    | "liveAddress"
    | "fingerprint"
    | "stated"
    | "changes"
    | "expected"
    | "reasons"
    | "losses"
    | "contentIds";
  delete: "liveAddress" | "fingerprint" | "reason" | "losses" | "contentIds";
  deploy: "subject" | "reason";
  none: never;
}

/** A member of which an action of its type has nothing. */
type EmptyMember<Value> = undefined extends Value
  ? undefined
  : Value extends readonly unknown[]
    ? never[]
    : Record<string, never>;

/** The members that other types have are empty. */
type Shape<Type extends ActionType> = { type: Type } & ActionBase &
  Pick<ActionMembers, MembersByType[Type]> & {
    [Member in Exclude<keyof ActionMembers, MembersByType[Type]>]: EmptyMember<ActionMembers[Member]>;
  };

/** One action of a plan, by what it does: a creation, a change with what was and will be, a deletion, a deployment. */
export type Action = { [Type in ActionType]: Shape<Type> }[ActionType];

/** An action of one of these types. */
export type ActionOf<Type extends ActionType> = Extract<Action, { type: Type }>;

/** An action on a live resource. */
export type LiveAction = Action & { resourceId: string };

/** An update of a resource that exists before the run. */
export type LiveUpdate = ActionOf<"update"> & { resourceId: string };

/** A deletion or a replacement of a live resource. */
export type LiveDeletion = ActionOf<"delete" | "replace"> & { resourceId: string };

/** The members of an action: its type, its resource, and those that concern it. */
export type ActionParts = { type: ActionType } & Pick<ActionBase, "address" | "parent"> &
  Partial<ActionBase & ActionMembers>;

/** An action with every member. */
export function makeAction(parts: ActionParts): Action {
  return {
    id: actionId(parts.type, parts.address),
    after: [],
    afterOthers: false,
    carriedOutBy: undefined,
    resourceId: undefined,
    liveAddress: undefined,
    fingerprint: undefined,
    pendingClone: undefined,
    source: undefined,
    stated: {},
    changes: [],
    expected: {},
    brings: [],
    carries: [],
    reasons: [],
    reason: undefined,
    cause: undefined,
    credentials: undefined,
    losses: [],
    contentIds: [],
    reaches: [],
    subject: undefined,
    ...parts,
    // Whoever makes an action states members of its type.
  } as Action;
}

/** Whether an action updates a resource that exists before the run. */
export function isLiveUpdate(action: Action): action is LiveUpdate {
  return updates(action) && action.resourceId !== undefined;
}

/** A remark about a plan for the user, which leads to no action. */
export interface Note {
  code: keyof typeof noteCodes;
  /** The remark, without a flag or a command of any front end. */
  message: string;
  /** The same as data, where front ends phrase a part of it otherwise. */
  said?: Message;
  /** The values that are not known yet, and on which it depends; absent: none. */
  unknown?: readonly (readonly string[])[];
  /** The resource of the note. */
  address?: Address;
  /** All resources of the note, if there are several. */
  resources?: readonly Address[];
  remedies?: readonly Remedy[];
  /** Of a saved plan: what helps, in the words of the front end that has saved it. */
  advice?: string | undefined;
  /** The change itself lifts the rule that keeps the resource. */
  isLifted?: true | undefined;
  /** Of a restriction that restricts nothing here: another run may have what it is about. */
  isShared?: true;
}

/**
 * The goal of a plan. `reconcile`: make the organization match the documents; `destroy`: delete the described
 * resources.
 */
export type Goal = "reconcile" | "destroy";

/** The id of the action of that type on a resource. */
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
    .filter(({ id, described }) => id !== undefined && !described).length;
}
