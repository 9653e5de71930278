import { counted } from "../../core/values/text.ts";
import { rollbackText, type EnvironmentState } from "../decide/index.ts";
import type { CycleResult } from "./cycle-result.ts";
import { type Describe, problemLines, reasonsOf } from "./describe.ts";
import { predicateOf, stateWords } from "./words.ts";

const order = ["failure", "pending", "success"] as const;

/** How the newest commit fares in all environments. */
export interface CommitState {
  state: (typeof order)[number];
  /** Without its dot. */
  sentence: string;
}

/** How the newest commit fares; undefined if the cycle has learned nothing of it. */
export function commitStateOf(cycle: CycleResult, describe: Describe): CommitState | undefined {
  const { mistakes, environments, stopped } = cycle;
  if (mistakes.length > 0)
    return {
      state: "failure",
      sentence: ["the commit has mistakes", ...problemLines(mistakes, describe)].join("; "),
    };
  if (!environments || stopped?.type === "overtaken" || stopped?.type === "interrupted") return undefined;
  const states = Map.groupBy(environments, stateIn);
  const state = order.find((each) => states.has(each)) ?? "success";
  const its = states.get(state) ?? [];
  const [first, second] = its;
  if (!first || state === "success")
    return { state, sentence: `the commit is applied in ${counted(environments.length, "environment")}` };
  const more = second ? [`and ${its.length - 1} more`] : [];
  const reasons = [...(first.reason === undefined ? [] : [first.reason]), ...reasonsOf(first, describe)];
  const { environment, rolledBack } = first;
  const how = rolledBack ? `is ${rollbackText(rolledBack)}` : predicateOf(first.state);
  return { state, sentence: [`${environment} ${how}`, ...reasons.slice(0, 2), ...more].join("; ") };
}

function stateIn({ state, changes }: EnvironmentState): CommitState["state"] {
  const { commit } = stateWords[state];
  // Beside drift, a part of the commit may wait.
  const isPartly = commit === "success" && changes.some(({ cause }) => cause === "commit");
  return isPartly && state !== "unwatched" ? "pending" : commit;
}
