import type { Address, AnyAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import type { HolderKind } from "../../problems/remedy.ts";
import type { Scope } from "../../model/addresses/scope.ts";
import type { PlanPolicy } from "../../rules/policies/index.ts";
import type { Action } from "./action.ts";
import type { Restriction } from "../../model/addresses/restriction.ts";
import type { SecretChoice } from "../../model/addresses/secret-choice.ts";

/**
 * How much a run may delete or replace: resources, and parts of other resources, such as variables. The
 * parts of a resource that is itself deleted or replaced do not count.
 */
export interface DeletionCaps {
  /** The largest number in the whole run. */
  count: number;
  /** How many other plans of the same run lose; absent: the plan is the whole run. */
  before?: number;
  /** The largest share of the services of an environment with ten or more, in percent. */
  percent: number;
}

/** The live resources that a source of documents has applied, by their ids. */
export interface OwnInventory {
  /** Whether the source has applied the live resource of this id. */
  has(id: string): boolean;
  /** Whether it was made as a copy, so that its contents came with it. */
  isCopy(id: string): boolean;
  /** Whether the source has written the entry with this key of a sort, such as a variable, of the live resource of this id. */
  hasEntry(id: string, member: string, key: string): boolean;
}

/** Whether a prune may delete the live resource of this id, because these documents have described it before. */
export function isOwn({ inventory }: Pick<Policy, "inventory">, id: string): boolean {
  return inventory?.has(id) !== false;
}

/** Whether an entry that a document does not state may be removed because of that: these documents have written it, or it came with a copy. */
export function isOwnEntry(
  { inventory }: Pick<Policy, "inventory">,
  id: string,
  member: string,
  key: string,
): boolean {
  return !inventory || inventory.isCopy(id) || inventory.hasEntry(id, member, key);
}

/** The limits of a plan: its allowed actions, and their resources. */
export interface Policy {
  /** The targets that a person has stated: only these resources and their dependencies are planned; empty: all. */
  targets: readonly Pattern[];
  /**
   * Plans only documents for which this is true, for a front end that plans in parts; absent: all.
   *
   * @param place `inside`: whether anything in the resource may be in the scope
   */
  scope?(address: AnyAddress, place?: "inside"): boolean;
  /** The actions of a plan, each with its cause; absent: everything follows from the documents. */
  withCauses?(actions: readonly Action[]): Action[];
  /** Existing resources that stay as they are, although documents in the scope need them; absent: none. */
  leaves?(address: AnyAddress): boolean;
  /** Resources that documents outside this run describe or may describe, so that they do not count as unmanaged; absent: none. */
  elsewhere?: readonly Pattern[] | undefined;
  /** Documents with `manage.protect` outside this run, of resources that no document of the run describes; absent: none. */
  protectedElsewhere?: readonly DesiredResource[] | undefined;
  /** Delete unmanaged resources, where the document of the environment allows it. */
  prune: boolean;
  /** What a prune may delete: resources that these documents have described before; absent: all that none describes. */
  inventory?: OwnInventory | undefined;
  /** Why a program may not have the live resource of an id; absent: it may have each. */
  heldBy?(id: string): HolderKind | undefined;
  /** The resources that a prune leaves alone, chosen by a front end; absent: none. */
  spares?(address: AnyAddress): boolean;
  /** Whether the front end lists no losses before it asks: those that nobody sees among the changes need a consent as well. */
  hidesLosses?: true | undefined;
  /** The resources that may be replaced, and whose contents a prune may delete. */
  allowReplace: readonly Pattern[];
  /**
   * The names of the resources that may be written although they cost money or take down services; absent: none,
   * whatever else allows it.
   */
  infrastructure?: readonly string[] | undefined;
  /** The name or the id of the API token that the run uses; absent: unknown, and no token may be deleted; null: the run uses none of those that it could delete. */
  ownToken?: string | null | undefined;
  /** The resources that are never deleted or replaced, whatever the documents say. */
  protect: readonly Scope[];
  /** Why nothing is changed in the place of an address now, such as a suspension; absent: nothing is suspended. */
  suspended?(address: AnyAddress): string | undefined;
  /** The rules of earlier commits, which hold too; absent: none. `withRulesBefore` states them. */
  before?: readonly RulesBefore[] | undefined;
  /** What restricts this run besides, or another front end; it is told if it matches nothing. Absent: nothing. */
  restrictions?: readonly Restriction[] | undefined;
  /** The policies of a team: forbidden, mentioned or approvable changes; absent: none. */
  policies?: readonly PlanPolicy[] | undefined;
  caps: DeletionCaps;
  /** The caps that a file states, which no flag raises; absent: none. */
  fixedCaps?: { file: string; caps: Partial<DeletionCaps> } | undefined;
  /**
   * The plan is carried out by the run that makes it: it names what is lost as the answers to earlier writes have told it, because
   * each deletion reads that again. Absent: it names what was read, since a saved plan is compared with another one.
   */
  isForThisRun?: boolean | undefined;
  /** The id that the resource of an address had in an earlier run; absent: unknown. */
  remembered?(address: Address): string | undefined;
  /** Which stated secrets are written again, although nobody can compare their values. */
  rotate: readonly SecretChoice[];
  /** Also mention fields that are not stated and differ from their default. */
  strict: boolean;
  /** Also read what described resources contain, where no document is about anything in them; `strict` does. Absent: do not. */
  looksInside?: boolean | undefined;
  /**
   * Also deploy the services that the plan creates or changes, and described services of which an older version runs.
   */
  deploy?: boolean | undefined;
  /**
   * Whether a service whose last deployment failed is not deployed until it changes: a service that plans in a loop would deploy
   * it again and again. Absent: it is deployed.
   */
  leavesFailed?(address: Address): boolean;
}

/**
 * The rules of an earlier commit, which hold for the changes of a later one too: a change never lifts the rule that forbids
 * it. They are what its settings state, and `manage.protect` and `manage.prune` of its documents.
 */
export interface RulesBefore {
  /** `the commit 1a2b3c4`. */
  name: string;
  policy: Pick<Policy, "protect" | "policies" | "caps">;
  resources: readonly DesiredResource[];
  /** Why its rules cannot be read, although they may be in force: what they would say is unknown, so nothing is deleted. */
  unreadable?: string;
  /**
   * The commit is older than the one before. Whether later ones were applied is not known, so its rules hold for what was
   * described last by it, and for nothing else.
   */
  isOlder?: true;
}

/** The settings that apply when a saved plan is applied, in place of those from when it was made. */
export type PolicyInForce = Pick<Policy, "protect" | "policies" | "caps" | "fixedCaps" | "ownToken">;

/** The default caps: ten resources in a run, and 30 % of the services of an environment. */
export const defaultCaps: DeletionCaps = { count: 10, percent: 30 };

/** A policy that consents to nothing: no deletion without a document, no replacement, the default caps. */
export const defaultPolicy: Policy = {
  targets: [],
  prune: false,
  allowReplace: [],
  protect: [],
  caps: defaultCaps,
  rotate: [],
  strict: false,
};

/** All that restricts a run. */
export function restrictionsOf({
  protect,
  policies = [],
  restrictions = [],
}: Pick<Policy, "protect" | "policies" | "restrictions">): Restriction[] {
  const patterns = [...protect, ...policies.flatMap(({ environments = [] }) => environments)];
  return [...patterns.flatMap(({ restriction }) => restriction ?? []), ...restrictions];
}
