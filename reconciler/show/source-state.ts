import { type StandingState, standingStates } from "../decide/index.ts";
import type { Board } from "./board.ts";
import type { ServiceStatus } from "./status-form.ts";

/** The state of a source, the worst first: that it does not run, that nobody knows, or its worst environment. */
export const sourceStates = ["down", "unknown", "stopped", ...standingStates] as const;

export type SourceState = (typeof sourceStates)[number];

/** The state of an open source. @param seen what its reader may see of it */
export function sourceStateOf(board: Pick<Board, "isAlive">, seen: ServiceStatus): SourceState {
  if (!board.isAlive()) return "down";
  return seen.in_doubt ? "unknown" : worstOf(seen);
}

/** The state of the worst environment. */
function worstOf(view: ServiceStatus): StandingState {
  if (view.checked_at === undefined) return "unread";
  const states = new Set([
    ...view.environments.map(({ state }) => state),
    ...(view.problems.length > 0 ? (["blocked"] as const) : []),
  ]);
  return standingStates.find((state) => states.has(state)) ?? "synced";
}
