import { type AnyAddress, formatAddress } from "../../core/model/addresses/address.ts";
import type { Unread, WaveOf } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import Type from "typebox";
import { form, optional } from "../../core/outputs/forms/forms.ts";
import type { StoredForm } from "../../core/files/stored-form.ts";
import { gitId } from "../git-id.ts";
import type { Identity } from "../identity.ts";
import { type Rules, type Share, shareKeyOf, shareOf } from "../policy/index.ts";
import type { PersonRequest } from "../requests/index.ts";
import type { DeletionLedger } from "./deletions.ts";
import type { Undone } from "./drift-loops.ts";
import type { ServiceHealth } from "./health.ts";

/** Everything that a decision depends on. */
export interface View {
  /** Milliseconds since 1970. */
  now: number;
  /** The newest commit. */
  commit: string;
  /** The mistakes of the newest commit; while there are any, the last commit without mistakes is in force. */
  mistakes: readonly Problem[];
  /** Whether the repository cannot be read now: a newer commit may be there, so no commit is applied. */
  isUnread?: boolean;
  /** Whether all documents of the commit in force were applied before. */
  isApplied: boolean;
  /** A commit that was applied, and that the one in force does not follow: the branch was rewritten. */
  dropped?: string | undefined;
  /** Whether the operator has chosen documents by targets, which are applied as a whole or not at all. */
  isTargeted: boolean;
  /** All that documents describe. */
  shares: readonly ShareView[];
  /** The rules by names, also for what no document describes. */
  rulesOf(names: readonly string[]): Rules;
  /** The waves that documents state; absent: a plan is carried out as a whole, whose order keeps to them. */
  waveOf?: WaveOf;
  /** The plans of this cycle by the keys of their scopes: `everything`, and what a decision has asked for. */
  plans: ReadonlyMap<string, Proposal>;
  /** Why plans of this cycle were not approved, such as a secret that cannot be read. */
  refused: readonly Problem[];
  /** The reverted changes, by share. */
  undone: Readonly<Record<string, Undone>>;
  /** The deletions so far, and their limit. */
  ledger: DeletionLedger;
  /** How many requests may be spent on changes now. */
  affordable: number;
}

/** A share with its rules now. */
export interface ShareView extends Share {
  rules: Rules;
  /** Whether the documents of the commit in force were applied here before. */
  isApplied: boolean;
  /** The commit that was applied here last, as far as it is known. */
  applied?: string;
  /** Whether everything here has been read. What the share of the quota did not suffice for has not. */
  isKnown: boolean;
  /** How old that is, and when it is older than promised. Milliseconds since 1970. */
  knowledge?: { since: number; staleAt: number };
  asked?: PersonRequest;
  /** The documents of that commit are in force here, because a person has asked for them. */
  rolledBack?: RolledBack;
  /** Why other sources have a say here: they describe something there too, or would prune it. */
  claimed?: readonly Problem[];
  /** Live resources and parts without a document: `job:shop/staging/b`, `variable LEVEL of job:shop/staging/a`. */
  unmanaged?: readonly string[];
  /** What has not been read there, so that nobody knows whether a document describes it. */
  unread?: readonly Unread[];
  /** The health of its services after their last deployments. */
  health: readonly ServiceHealth[];
  /** Whether `health` is from an earlier cycle, because this one could not read it. */
  isHealthUnread?: boolean;
  /** A digest of its documents. */
  digest: string;
  /** The memory of the last commit begun there, and of the last healthy one. */
  rollout?: Rollout;
  /** Since when it has been in step and healthy with its present documents, in milliseconds since 1970. */
  healthySince?: number;
}

/** A commit, the id of its folder of manifests, and a digest of the documents of a share. */
const shareCommitForm = form({ commit: gitId, tree: gitId, digest: Type.String() });

export type ShareCommit = StoredForm<typeof shareCommitForm>;

/** A service whose deployment has failed. */
const failureForm = form({
  /** How often the policy has had it deployed again. */
  tried: Type.Number(),
  /** When that was seen first, in milliseconds since 1970; absent: it is being deployed again. */
  since: optional(Type.Number()),
  /** When the deployment that has failed began, as ISO 8601. */
  begun: optional(Type.String()),
});

export type Failure = StoredForm<typeof failureForm>;

const failuresForm = form({ digest: Type.String(), services: Type.Record(Type.String(), failureForm) });

/** The failed services of a share, by their addresses, and the digest of its documents. */
export type Failures = StoredForm<typeof failuresForm>;

export const rolloutForm = form({
  /** The documents that were written there last, and since when: milliseconds since 1970. */
  begun: optional(form({ digest: Type.String(), at: Type.Number() })),
  /** The last commit with which it was in step and healthy. */
  healthy: optional(shareCommitForm),
  /** The documents that were rolled back because a deployment had failed. */
  givenUp: optional(Type.String()),
  /** The services whose deployments have failed, where the policy has them deployed again. */
  failures: optional(failuresForm),
});

/** The memory of the commits of a share. */
export type Rollout = StoredForm<typeof rolloutForm>;

/** An earlier commit, the documents of which a person or the policy has put in force. */
export interface RolledBack {
  commit: string;
  by: Identity;
  /** When that was asked for, such as `2026-12-01T08:00:00.000Z`. */
  at: string;
}

/** The share of a resource; a resource without a document has the share of its parent; undefined if there is none. */
export function holderOf<Held extends Share>(
  shares: readonly Held[],
  address: AnyAddress | string,
): Held | undefined {
  const { names } = shareOf(address);
  for (let length = names.length; length >= 0; length -= 1) {
    const key = shareKeyOf(names.slice(0, length));
    const holder = shares.find((share) => share.key === key);
    if (holder) return holder;
  }
  return undefined;
}

/** The documents that a plan is about. */
export interface PlanTargets {
  /** Equal scopes have equal keys. */
  key: string;
  includes(address: AnyAddress): boolean;
  /** Whether it stays as it is, if it exists, although something in the scope needs it. */
  leaves(address: AnyAddress): boolean;
}

export const everything: PlanTargets = { key: "everything", includes: () => true, leaves: () => false };

/**
 * The documents of some shares, and what is in no document and belongs to them.
 *
 * @param among all shares that documents describe
 * @param without the addresses of resources that are left out, and left as they are
 */
export function scopeOf(
  shares: readonly Share[],
  among: readonly Share[],
  without: ReadonlySet<string> = new Set(),
): PlanTargets {
  const keys = new Set(shares.map(({ key }) => key));
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
