import type { Address, AnyAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Pattern } from "../../model/addresses/pattern.ts";
import type { LiveResource } from "../../state/live/index.ts";
import type { HolderKind } from "../../problems/remedy.ts";
import type { Scope } from "../../model/addresses/scope.ts";
import type { PlanPolicy } from "../../rules/policies/index.ts";
import type { Action } from "./action.ts";
import type { Restriction } from "../../model/addresses/restriction.ts";
import type { SecretChoice } from "../../model/addresses/secret-choice.ts";

/** The limits of deletions and replacements of a run, in resources and in parts of remaining resources. */
export interface DeletionCaps {
  /** The maximum of the whole run. */
  count: number;
  /** The keys of the losses of the other plans of the same run; absent: the plan is the whole run. */
  before?: ReadonlySet<string>;
  /** The maximum percentage of the services of an environment with ten or more. */
  percent: number;
}

/** The live resources that a source of documents has applied, by id. */
export interface OwnInventory {
  /** Whether the source has applied the live resource of this id. */
  has(id: string): boolean;
  /** Whether the resource was created as a copy, so that its contents came with it. */
  isCopy(id: string): boolean;
  /** Whether the source has written the entry with this key of a sort, such as a variable. */
  hasEntry(id: string, member: string, key: string): boolean;
}

/** Whether a prune may delete a live resource, because these documents declared it before. */
export function isOwn({ inventory }: Pick<Policy, "inventory">, id: string): boolean {
  return inventory?.has(id) !== false;
}

/** Whether an undeclared entry may be removed: these documents have written it, or it came with a copy. */
export function isOwnEntry(
  { inventory }: Pick<Policy, "inventory">,
  id: string,
  member: string,
  key: string,
): boolean {
  return !inventory || inventory.isCopy(id) || inventory.hasEntry(id, member, key);
}

/** The limits of a plan. */
export interface Policy {
  /** Only these resources and their dependencies are planned; empty: all. */
  targets: readonly Pattern[];
  /** Plans only these documents; absent: all. `inside`: whether any contents of the resource may be in scope. */
  scope?(address: AnyAddress, place?: "inside"): boolean;
  /** Adds the causes of actions; absent: everything follows from the documents. */
  withCauses?(actions: readonly Action[]): Action[];
  /** Existing resources that stay unchanged, although documents in scope need them; absent: none. */
  leaves?(address: AnyAddress): boolean;
  /** Resources that documents outside this run may declare, so that they do not count as unmanaged; absent: none. */
  elsewhere?: readonly Pattern[] | undefined;
  /** Documents with `manage.protect` outside this run, of resources that the run does not declare; absent: none. */
  protectedElsewhere?: readonly DesiredResource[] | undefined;
  /** Deletes unmanaged resources, where the document of the environment allows it. */
  prune: boolean;
  /** A prune deletes only resources in this inventory; absent: all unmanaged ones. */
  inventory?: OwnInventory | undefined;
  /** The other holder of a live resource, which a program must not manage; absent: there is none. */
  otherHolder?(id: string): HolderKind | undefined;
  /** Resources that a prune leaves alone, chosen by a front end; absent: none. */
  spares?(address: AnyAddress): boolean;
  /** The front end lists no losses before it asks: losses that the changes do not show then need a consent too. */
  hidesLosses?: true | undefined;
  /** The resource that a program deletes before it creates this one; absent: none. */
  succeeds?: LiveResource | undefined;
  /** Nobody looks for the users of a deleted resource, because the API refuses the deletion, and nothing else is lost then. */
  mayBeInUse?: boolean;
  /** A program agrees to the deletion of all contents, or deletes them before. */
  empties?: true | undefined;
  /** The resources that may be replaced, and whose contents a prune may delete. */
  allowReplace: readonly Pattern[];
  /** The names of resources that may cost money or take services down; absent: none, even with `allowReplace`. */
  infrastructure?: readonly string[] | undefined;
  /** The name or id of the run's API token; absent: unknown, so none may be deleted; null: it uses no deletable one. */
  ownToken?: string | null | undefined;
  /** The resources that are never deleted or replaced, even if documents allow it. */
  protect: readonly Scope[];
  /** Why nothing changes at an address now, such as a suspension; absent: nothing is suspended. */
  suspended?(address: AnyAddress): string | undefined;
  /** The rules of earlier commits, which apply too; absent: none. `withRulesBefore` adds them. */
  before?: readonly RulesBefore[] | undefined;
  /** Further restrictions, also of other front ends, which are reported if they match nothing. Absent: none. */
  restrictions?: readonly Restriction[] | undefined;
  /** Changes that a team denies, warns about or approves; absent: none. */
  policies?: readonly PlanPolicy[] | undefined;
  caps: DeletionCaps;
  /** The caps of a file, which no flag raises; absent: none. */
  fixedCaps?: { file: string; caps: Partial<DeletionCaps> } | undefined;
  /** The run that plans also executes, so its losses use the answers to earlier writes. Absent: the first reads, as a saved plan. */
  isForThisRun?: boolean | undefined;
  /** The id of a resource in an earlier run; absent: unknown. */
  knownId?(address: Address): string | undefined;
  /** The declared secrets to write again, because values cannot be compared. */
  rotate: readonly SecretChoice[];
  /** Also mentions undeclared fields that differ from their default. */
  strict: boolean;
  /** Also reads the contents of managed resources without declared contents, as `strict` does. Absent: no. */
  readsInside?: boolean | undefined;
  /** Also deploys services that the plan changes, and managed services with an older running version. */
  deploy?: boolean | undefined;
  /** Whether a service with a failed deployment waits for a change, because a loop would deploy it again and again. */
  leavesFailed?(address: Address): boolean;
}

/** The rules of an earlier commit, because a change must not lift the rule that forbids it. */
export interface RulesBefore {
  /** `the commit 1a2b3c4`. */
  name: string;
  policy: Pick<Policy, "protect" | "policies" | "caps">;
  resources: readonly DesiredResource[];
  /** Why its rules cannot be read. Unknown rules may forbid anything, so nothing is deleted. */
  unreadable?: string;
  /** A commit before the previous one: its rules apply only to resources that no later commit declares. */
  isOlder?: true;
}

/** The settings at the time when a saved plan is applied, which replace those of its creation. */
export type PolicyInForce = Pick<Policy, "protect" | "policies" | "caps" | "fixedCaps" | "ownToken">;

/** Ten resources in a run, and 30 % of the services of an environment. */
export const defaultCaps: DeletionCaps = { count: 10, percent: 30 };

/** Consents to nothing: no prune, no replacement, the default caps. */
export const defaultPolicy: Policy = {
  targets: [],
  prune: false,
  allowReplace: [],
  protect: [],
  caps: defaultCaps,
  rotate: [],
  strict: false,
};

/** All restrictions of a run. */
export function restrictionsOf({
  protect,
  policies = [],
  restrictions = [],
}: Pick<Policy, "protect" | "policies" | "restrictions">): Restriction[] {
  const patterns = [...protect, ...policies.flatMap(({ environments = [] }) => environments)];
  return [...patterns.flatMap(({ restriction }) => restriction ?? []), ...restrictions];
}
