import { counted } from "../../core/values/text.ts";
import { rollbackText, type EnvironmentState } from "../../reconciler/decide/index.ts";
import {
  commitStateOf,
  type CycleResult,
  type Journal,
  predicateOf,
  problemLines,
  reasonsOf,
  stateWords,
} from "../../reconciler/journal/index.ts";
import { withAdvice } from "../../cli/render/remedies.ts";

/** What the last cycle alone says of the newest commit; undefined: nothing. */
function sentenceOf({ mistakes, environments }: CycleResult): string | undefined {
  if (mistakes.length > 0)
    return ["failure", "the commit has mistakes", ...problemLines(mistakes, withAdvice)].join("; ");
  if (!environments) return undefined;
  const sorted = environments.toSorted((one, other) => one.environment.localeCompare(other.environment));
  const states = Map.groupBy(sorted, stateIn);
  const state = (["failure", "pending"] as const).find((each) => states.has(each));
  if (state === undefined)
    return `success; the commit is applied in ${counted(environments.length, "environment")}`;
  const [first, ...others] = states.get(state) ?? [];
  if (!first) return undefined;
  const { environment, reason, rolledBack } = first;
  const how =
    rolledBack && first.state === "rolled_back" ? `is ${rollbackText(rolledBack)}` : predicateOf(first.state);
  const reasons = [...(reason === undefined ? [] : [reason]), ...reasonsOf(first, withAdvice)].slice(0, 2);
  const more = others.length > 0 ? [`and ${others.length} more`] : [];
  return [state, `${environment} ${how}`, ...reasons, ...more].join("; ");
}

function stateIn({ state, changes }: EnvironmentState) {
  const { commit } = stateWords[state];
  const isPartly = commit === "success" && changes.some(({ cause }) => cause === "commit");
  return isPartly && state !== "unwatched" ? "pending" : commit;
}

/** Checks that the journal, from its entries of all cycles, says of a commit what its last cycle says. @throws where it does not */
export function checkCommitState(cycle: CycleResult, { current }: Pick<Journal, "current">): void {
  const expected = sentenceOf(cycle);
  const { commit, state, sentence } = commitStateOf(current) ?? {};
  const found = `${state}; ${sentence}`;
  if (expected !== undefined && (found !== expected || commit !== cycle.commit))
    throw new Error(
      `the journal says of ${commit}: ${found}; the cycle says of ${cycle.commit}: ${expected}`,
    );
}
