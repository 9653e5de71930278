import { type AnyAddress, formatAddress } from "../../core/model/addresses/address.ts";
import type { Unread, WaveOf } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { gitId } from "../git-id.ts";
import type { Identity } from "../identity.ts";
import { type Rules, type Environment, environmentKeyOf, environmentOf } from "../policy/index.ts";
import type { PersonRequest } from "../requests/index.ts";
import type { DeletionLedger } from "./deletions.ts";
import type { Undone } from "./drift-loops.ts";
import type { ServiceHealth } from "./health.ts";

/** All inputs of a decision. */
export interface View {
  /** Milliseconds since 1970. */
  now: number;
  commit: string;
  /** The mistakes of the newest commit; with any, the last commit without mistakes is in force. */
  mistakes: readonly Problem[];
  /** Whether the repository cannot be read now: a newer commit may exist, so no commit is applied. */
  isUnread?: boolean;
  /** Whether all documents of the commit in force were applied before. */
  isApplied: boolean;
  /** An applied commit from which the one in force does not follow: the branch was rewritten. */
  dropped?: string | undefined;
  /** Whether the operator has chosen documents by targets, which are applied as a whole or not at all. */
  isTargeted: boolean;
  environments: readonly EnvironmentView[];
  /** The rules by names, also of unmanaged environments. */
  rulesOf(names: readonly string[]): Rules;
  /** The declared waves; absent: a plan is carried out as a whole, in the order of its waves. */
  waveOf?: WaveOf;
  /** The plans of this cycle by scope: `everything`, and those that a decision has requested. */
  plans: ReadonlyMap<string, Proposal>;
  /** Why plans of this cycle were not approved, such as an unreadable secret. */
  refused: readonly Problem[];
  /** The reverted changes, by environment. */
  undone: Readonly<Record<string, Undone>>;
  ledger: DeletionLedger;
  /** The requests that may be spent on changes now. */
  affordable: number;
}

/** An environment with its present rules. */
export interface EnvironmentView extends Environment {
  rules: Rules;
  /** Whether the documents of the commit in force were applied here before. */
  isApplied: boolean;
  /** The commit that was applied here last, if known. */
  applied?: string | undefined;
  /** Whether everything here has been read. Reads beyond the quota's share are missing. */
  isKnown: boolean;
  /** The age of the known state, and its limit. Milliseconds since 1970. */
  knowledge?: { since: number; staleAt: number } | undefined;
  requested?: PersonRequest | undefined;
  /** The commit whose documents are in force here, by request of a person. */
  rolledBack?: RolledBack | undefined;
  /** The conflicts with other sources, which declare resources there too, or would prune them. */
  claimed?: readonly Problem[] | undefined;
  /** Unmanaged resources and parts: `job:shop/staging/b`, `variable LEVEL of job:shop/staging/a`. */
  unmanaged?: readonly string[] | undefined;
  /** Unread parts and contents, which may be unmanaged. */
  unread?: readonly Unread[] | undefined;
  /** The health of its services after their last deployments. */
  health: readonly ServiceHealth[];
  /** Whether `health` is from an earlier cycle, because this one could not read it. */
  isHealthUnread?: boolean;
  digest: string;
  /** The last started rollout, and the last healthy commit. */
  rollout?: Rollout | undefined;
  /** Since when it has been synced and healthy with its present documents, in milliseconds since 1970. */
  healthySince?: number | undefined;
}

/** A commit, the id of its folder of manifests, and a digest of the documents of an environment. */
const environmentCommitForm = form({ commit: gitId, tree: gitId, digest: Type.String() });

export type EnvironmentCommit = StoredForm<typeof environmentCommitForm>;

const failureForm = form({
  /** The retries by the policy. */
  tried: Type.Number(),
  /** When the failure was found, in milliseconds since 1970; absent: a retry is under way. */
  since: optional(Type.Number()),
  /** The start of the failed deployment, as ISO 8601. */
  started: optional(Type.String()),
});

export type Failure = StoredForm<typeof failureForm>;

const failuresForm = form({ digest: Type.String(), services: Type.Record(Type.String(), failureForm) });

/** The failed services of an environment, by address, and the digest of its documents. */
export type Failures = StoredForm<typeof failuresForm>;

export const rolloutForm = form({
  /** The documents that were written there last, and when: milliseconds since 1970. */
  started: optional(form({ digest: Type.String(), at: Type.Number() })),
  /** The last commit with which it was synced and healthy. */
  healthy: optional(environmentCommitForm),
  /** The digest of documents that were rolled back after a failed deployment. */
  givenUp: optional(Type.String()),
  failures: optional(failuresForm),
});

export type Rollout = StoredForm<typeof rolloutForm>;

/** An earlier commit whose documents a person or the policy has put in force. */
export interface RolledBack {
  commit: string;
  by: Identity;
  /** When that was requested, such as `2026-12-01T08:00:00.000Z`. */
  at: string;
}

/** The environment of a resource; an unmanaged resource has that of its parent; undefined: none. */
export function holderOf<Held extends Environment>(
  environments: readonly Held[],
  address: AnyAddress | string,
): Held | undefined {
  const { names } = environmentOf(address);
  for (let length = names.length; length >= 0; length -= 1) {
    const key = environmentKeyOf(names.slice(0, length));
    const holder = environments.find((environment) => environment.key === key);
    if (holder) return holder;
  }
  return undefined;
}

/** The documents that a plan includes. */
export interface PlanTargets {
  /** Equal scopes have equal keys. */
  key: string;
  includes(address: AnyAddress): boolean;
  /** Whether an existing resource stays, although something in the scope needs it. */
  leaves(address: AnyAddress): boolean;
}

export const everything: PlanTargets = { key: "everything", includes: () => true, leaves: () => false };

/** The scope of some environments, with their unmanaged resources. @param without the addresses of resources that stay */
export function scopeOf(
  environments: readonly Environment[],
  among: readonly Environment[],
  without: ReadonlySet<string> = new Set(),
): PlanTargets {
  const keys = new Set(environments.map(({ key }) => key));
  const leaves = (address: AnyAddress) => without.has(formatAddress(address));
  return {
    key: JSON.stringify([[...keys].toSorted(), [...without].toSorted()]),
    includes(address) {
      const holder = holderOf(among, address);
      return holder !== undefined && keys.has(holder.key) && !leaves(address);
    },
    leaves,
  };
}
