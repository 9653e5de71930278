import { type UnmanagedState, type Unread, unmanagedText } from "../../core/planning/plan/index.ts";
import {
  type AppliedDocuments,
  differs,
  type DocumentMarks,
  failuresNow,
  holderOf,
  type ShareView,
} from "../decide/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Memory } from "../memory/index.ts";
import type { Rules, Share } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { digestsOf, documentMarks } from "./digests.ts";
import type { ReadHealth } from "./health.ts";
import type { WithRollbacks } from "./rollback.ts";

interface ShareFacts {
  memory: Memory;
  commit: LoadedCommit;
  rolledBack: WithRollbacks["rolledBack"];
  rulesOf(names: readonly string[]): Rules;
  health: ReadHealth;
  known: ReadonlySet<string>;
  unmanaged: readonly UnmanagedState[];
  unread: readonly Unread[];
  requestedIn(key: string): ShareView["requested"];
  knowledgeOf(key: string): ShareView["knowledge"];
  now: number;
  claimed: readonly Problem[];
}

/** Each share with its applied commit, the age of its state, and its health. */
export function shareViews(shares: readonly Share[], facts: ShareFacts): ShareView[] {
  const { memory, commit, rolledBack, rulesOf, health, known } = facts;
  const differing = keysOfDiffering(shares, memory.documents, documentMarks(commit.resources));
  const digests = digestsOf(commit.resources);
  const claimed = Map.groupBy(facts.claimed, ({ address = "" }) => holderOf(shares, address)?.key);
  const unmanaged = Map.groupBy(facts.unmanaged, ({ address }) => holderOf(shares, address)?.key);
  const unread = Map.groupBy(facts.unread, ({ address }) => holderOf(shares, address)?.key);
  return shares.map((share) => {
    const { key } = share;
    const rollback = rolledBack.get(key);
    const isKnown = known.has(key);
    const isApplied = !differing.has(key);
    const digest = digests.get(key) ?? "";
    const rollout = memory.rolloutIn(key);
    const view: ShareView = {
      ...share,
      isKnown,
      isApplied,
      digest,
      rollout,
      rules: rulesOf(share.names),
      knowledge: facts.knowledgeOf(key),
      health: health.services.get(key) ?? [],
      isHealthUnread: health.unread.has(key),
      unmanaged: isKnown ? (unmanaged.get(key) ?? []).map(unmanagedText).toSorted() : undefined,
      unread: isKnown ? (unread.get(key) ?? []) : undefined,
      healthySince: memory.healthySince(key, digest),
      applied: rollback && isApplied ? rollback.commit : memory.appliedIn(key),
      claimed: claimed.get(key),
      requested: facts.requestedIn(key),
      rolledBack: rollback && { commit: rollback.commit, by: rollback.by, at: rollback.at },
    };
    const failures = failuresNow(view, facts.now);
    return failures || rollout?.failures ? { ...view, rollout: { ...rollout, failures } } : view;
  });
}

/** The keys of the shares in which a document differs from the one that was applied last, or is gone. */
export function keysOfDiffering(
  shares: readonly Share[],
  before: AppliedDocuments,
  now: DocumentMarks,
): ReadonlySet<string> {
  const all = new Set([...Object.keys(before), ...now.keys()]);
  const changed = [...all].filter((key) => differs(key, before, now));
  return new Set(changed.flatMap((key) => holderOf(shares, key)?.key ?? []));
}
