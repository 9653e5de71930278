import { type StandingState, standingStates } from "../decide/index.ts";
import type { Board } from "./board.ts";
import type { ServiceStatus, SourceState } from "./status-form.ts";

/** The state of an open source. @param seen the visible part for its reader */
export function sourceStateOf(board: Pick<Board, "isAlive">, seen: ServiceStatus): SourceState {
  if (!board.isAlive()) return "down";
  return seen.in_doubt ? "unknown" : worstOf(seen);
}

function worstOf(view: ServiceStatus): StandingState {
  if (view.checked_at === undefined) return "unread";
  const states = new Set([
    ...view.environments.map(({ state }) => state),
    ...(view.problems.length > 0 ? (["blocked"] as const) : []),
  ]);
  return standingStates.find((state) => states.has(state)) ?? "synced";
}
