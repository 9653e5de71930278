import type { Progress } from "../../core/apply/index.ts";
import type { Wait } from "../../core/api/settings.ts";
import { timeLeft } from "../render/text.ts";

/** Tells what is going on while it is going on: a line that changes on a terminal, else a line for each event. */
export interface Status {
  /** Something begins that takes a while. */
  working(what: string): void;
  progress(progress: Progress): void;
  waiting(wait: Wait): void;
  /** Takes the changing line off the terminal; the next event brings it back. */
  pause(): void;
}

/** What is being waited for, until when. */
export function quotaWait(until: Date, now: number): string {
  return `The request quota is used up; continuing in ${timeLeft(until, now)}, at ${until.toISOString().slice(11, 19)} UTC`;
}
