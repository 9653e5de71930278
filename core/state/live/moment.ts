import type { Clock } from "../../api/index.ts";

/** When something began: its turn says what came before, also within a millisecond. */
export interface Moment {
  turn: number;
  /** Milliseconds since 1970. */
  time: number;
}

let turns = 0;

/** This moment. */
export function momentNow(clock: Clock): Moment {
  turns += 1;
  return { turn: turns, time: clock.now() };
}
