import type { undescribedThings } from "../../core/plan/index.ts";
import { holderOf, type ShareView } from "../decide/index.ts";
import type { Memory } from "../memory/index.ts";
import type { Rules, Share } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { digestsOf } from "./digests.ts";
import type { ReadHealth } from "./health.ts";
import type { WithRollbacks } from "./rollback.ts";

/** The facts about shares, by their keys. */
interface ShareFacts {
  memory: Memory;
  commit: LoadedCommit;
  rolledBack: WithRollbacks["rolledBack"];
  rulesOf(names: readonly string[]): Rules;
  health: ReadHealth;
  /** The shares of which everything is known. */
  known: ReadonlySet<string>;
  undescribed: ReturnType<typeof undescribedThings>;
  askedIn(key: string): ShareView["asked"];
  knowledgeOf(key: string): ShareView["knowledge"];
}

/** Each share as decisions see it: its applied commit, the knowledge about it, and its health. */
export function shareViews(shares: readonly Share[], facts: ShareFacts): ShareView[] {
  const { memory, commit, rolledBack, rulesOf, health, known } = facts;
  const isWholeApplied = memory.isApplied(commit);
  const digests = digestsOf(commit.resources);
  const undescribed = Map.groupBy(facts.undescribed, ({ address }) => holderOf(shares, address)?.key);
  return shares.map((share) => {
    const { key } = share;
    const rollback = rolledBack.get(key);
    const isApplied = rollback
      ? memory.rolledBackTo(key) === rollback.tree
      : memory.rolledBackTo(key) === undefined && (isWholeApplied || memory.isAppliedIn(key, commit));
    const applied = rollback && isApplied ? rollback.commit : memory.appliedIn(key);
    const asked = facts.askedIn(key);
    const digest = digests.get(key) ?? "";
    const healthySince = memory.healthySince(key, digest);
    const knowledge = facts.knowledgeOf(key);
    const rollout = memory.rolloutIn(key);
    return {
      ...share,
      isKnown: known.has(key),
      ...(knowledge && { knowledge }),
      ...(rollout && { rollout }),
      rules: rulesOf(share.names),
      isApplied,
      health: health.services.get(key) ?? [],
      ...(health.unread.has(key) && { isHealthUnread: true }),
      digest,
      ...(known.has(key) && { undescribed: (undescribed.get(key) ?? []).map(({ text }) => text).toSorted() }),
      ...(healthySince !== undefined && { healthySince }),
      ...(applied !== undefined && { applied }),
      ...(asked && { asked }),
      ...(rollback && { rolledBack: { commit: rollback.commit, by: rollback.by } }),
    };
  });
}
