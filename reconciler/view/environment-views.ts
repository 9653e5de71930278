import { type UnmanagedState, type Unread, unmanagedText } from "../../core/planning/plan/index.ts";
import {
  type AppliedDocuments,
  differs,
  type Digests,
  failuresNow,
  holderOf,
  type EnvironmentView,
} from "../decide/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Memory } from "../memory/index.ts";
import type { Rules, Environment } from "../policy/index.ts";
import type { LoadedCommit } from "./commits.ts";
import { digestsOf, documentDigests } from "./digests.ts";
import type { ReadHealth } from "./health.ts";
import type { WithRollbacks } from "./rollback.ts";

interface EnvironmentFacts {
  memory: Memory;
  commit: LoadedCommit;
  rolledBack: WithRollbacks["rolledBack"];
  rulesOf(names: readonly string[]): Rules;
  health: ReadHealth;
  known: ReadonlySet<string>;
  unmanaged: readonly UnmanagedState[];
  unread: readonly Unread[];
  requestedIn(key: string): EnvironmentView["requested"];
  knowledgeOf(key: string): EnvironmentView["knowledge"];
  now: number;
  claimed: readonly Problem[];
}

/** Each environment with its applied commit, the age of its state, and its health. */
export function environmentViews(all: readonly Environment[], facts: EnvironmentFacts): EnvironmentView[] {
  const { memory, commit, rolledBack, rulesOf, health, known } = facts;
  const differing = keysOfDiffering(all, memory.documents, documentDigests(commit.resources));
  const digests = digestsOf(commit.resources);
  const claimed = Map.groupBy(facts.claimed, ({ address = "" }) => holderOf(all, address)?.key);
  const unmanaged = Map.groupBy(facts.unmanaged, ({ address }) => holderOf(all, address)?.key);
  const unread = Map.groupBy(facts.unread, ({ address }) => holderOf(all, address)?.key);
  return all.map((environment) => {
    const { key } = environment;
    const rollback = rolledBack.get(key);
    const isKnown = known.has(key);
    const isApplied = !differing.has(key);
    const digest = digests.get(key) ?? "";
    const rollout = memory.rolloutIn(key);
    const view: EnvironmentView = {
      ...environment,
      isKnown,
      isApplied,
      digest,
      rollout,
      rules: rulesOf(environment.names),
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

/** The keys of the environments in which a document differs from the one that was applied last, or is gone. */
export function keysOfDiffering(
  environments: readonly Environment[],
  before: AppliedDocuments,
  now: Digests,
): ReadonlySet<string> {
  const all = new Set([...Object.keys(before), ...now.keys()]);
  const changed = [...all].filter((key) => differs(key, before, now));
  return new Set(changed.flatMap((key) => holderOf(environments, key)?.key ?? []));
}
