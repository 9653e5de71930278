import { counted } from "../../core/values/text.ts";
import type { SyncState } from "../decide/index.ts";
import { type EntryOf, isState, type LastingState } from "./entry.ts";
import { type Current, lastOf } from "./table.ts";
import { predicateOf, stateWords } from "./words.ts";

const order = ["failure", "pending", "success"] as const;

/** How a commit fares in all environments. */
export interface CommitState {
  commit: string;
  state: (typeof order)[number];
  /** Without its dot. */
  sentence: string;
}

/** How the newest commit fares, by what lasts; undefined: none was compared. */
export function commitStateOf(current: Current): CommitState | undefined {
  const entries = Object.values(current);
  const mistaken = lastOf(current, "commit");
  if (mistaken) {
    const sentence = ["the commit has mistakes", ...mistaken.reasons].join("; ");
    return { commit: mistaken.commit, state: "failure", sentence };
  }
  const compared = lastOf(current, "comparison");
  if (!compared) return undefined;
  const { commit } = compared;
  const passing = entries.filter((entry) => entry.type === "passing");
  const lasting = entries.filter(isState).filter((each) => !lastOf(current, "passing", each.environment));
  const all = [...lasting, ...passing].toSorted((one, other) =>
    one.environment.localeCompare(other.environment),
  );
  const states = Map.groupBy(all, stateIn);
  const state = order.find((each) => states.has(each)) ?? "success";
  const its = states.get(state) ?? [];
  const [first, second] = its;
  if (!first || state === "success")
    return { commit, state, sentence: `the commit is applied in ${counted(all.length, "environment")}` };
  const { environment, reasons } = first;
  // The first reason of a rollback says to which commit.
  const [how, why] =
    first.type === "rolled_back"
      ? [`is ${reasons[0]}`, reasons.slice(1)]
      : [predicateOf(syncStateOf(first)), reasons];
  const more = second ? [`and ${its.length - 1} more`] : [];
  return { commit, state, sentence: [`${environment} ${how}`, ...why.slice(0, 2), ...more].join("; ") };
}

function stateIn(entry: EntryOf<LastingState | "passing">): CommitState["state"] {
  const { commit } = stateWords[syncStateOf(entry)];
  // Beside drift, a part of the commit may wait.
  const isPartly = commit === "success" && "isPartly" in entry && entry.isPartly === true;
  return isPartly && entry.type !== "unwatched" ? "pending" : commit;
}

function syncStateOf(entry: EntryOf<LastingState | "passing">): SyncState {
  return entry.type === "passing" ? entry.state : entry.type;
}
