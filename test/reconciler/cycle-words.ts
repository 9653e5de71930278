import { isChange } from "../../core/planning/plan/index.ts";
import { commitStateOf, type CycleResult } from "../../reconciler/journal/index.ts";
import { entriesOf } from "../../reconciler/journal/entries-of.ts";
import { after } from "../../reconciler/journal/table.ts";
import { withAdvice } from "../../cli/render/remedies.ts";
import { distinct } from "../../reconciler/decide/verdict.ts";

/** What a cycle has found and done, in a word and by what is left: for tests that look at one cycle. */
export function inWords(cycle: CycleResult) {
  const { environments = [], enacted = [], mistakes, stopped, whole, ended = [] } = cycle;
  const outcomes = enacted.flatMap(({ report }) => report.outcomes.filter(isChange));
  const causes = new Map(enacted.flatMap(({ plan }) => plan.actions.map(({ id, cause }) => [id, cause])));
  const isOnlyCommit = outcomes.every(({ id }) => causes.get(id) !== "drift");
  const problems = mistakes.length > 0 ? mistakes : distinct(environments.flatMap((each) => each.problems));
  const left = (cause: string) =>
    environments
      .filter(({ state }) => state !== "unwatched")
      .flatMap((each) => each.changes.filter((change) => change.cause === cause));
  const changes = left("drift");
  const waiting = environments.flatMap(({ environment, state, reason, changes: all }) => {
    const its = all.filter(({ cause }) => cause === "commit");
    const isUnapplied = whole?.environments.some(({ name, isApplied }) => name === environment && !isApplied);
    return state === "waiting" ||
      (state === "unread" && isUnapplied) ||
      (its.length > 0 && state !== "blocked" && state !== "failed")
      ? [{ environment, reason, changes: its }]
      : [];
  });
  const isWhole = whole?.environments.every(({ isApplied }) => isApplied) ?? true;
  const has = (state: string) => environments.some((each) => each.state === state);
  const wordOf = () => {
    if (stopped?.type === "overtaken" || stopped?.type === "interrupted") return stopped.type;
    if (mistakes.length > 0) return "invalid";
    if (has("held")) return "held";
    if (problems.length > 0) return "blocked";
    if (stopped?.type === "unaffordable") return "unaffordable";
    if (outcomes.length > 0 && isOnlyCommit && waiting.length === 0)
      return stopped?.type === "incomplete" ? "incomplete" : "applied";
    if (outcomes.length > 0 || waiting.length > 0) return isOnlyCommit || !isWhole ? "partly" : "undone";
    return changes.length === 0 ? "synced" : "drift";
  };
  return {
    ...cycle,
    type: wordOf(),
    problems,
    changes: has("held") ? [...changes, ...left("commit")] : changes,
    outcomes,
    resources: whole?.actions.length,
    driftLoops: environments.flatMap((each) => each.driftLoops),
    ...(waiting.length > 0 && { waiting }),
    ...(ended.length > 0 && {
      answered: ended.map(({ type: _type, request, ...each }) => ({ ...each, type: request })),
    }),
  };
}

/** The drift that a cycle has set back. */
export function setBackBy({ environments = [] }: Pick<CycleResult, "environments">) {
  return environments.flatMap(({ reverted = [] }) => reverted);
}

/** How the newest commit fares after a single cycle, in a sentence. */
export function sentenceAfter(cycle: CycleResult): string | undefined {
  const known = { current: {}, now: 0, started: [], unread: 0 };
  const { entries } = entriesOf(cycle, known, withAdvice);
  return commitStateOf(entries.map((entry) => ({ ...entry, id: 0, at: 0 })).reduce(after, {}))?.sentence;
}

/** A journal in which nothing has happened. */
export const noJournal = { current: {}, entries: [] };
