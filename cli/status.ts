import type { Progress } from "../core/apply/index.ts";
import type { Wait } from "../core/api/settings.ts";
import type { Console } from "./console.ts";
import { accomplished } from "./render/outcomes.ts";
import { title } from "./render/actions.ts";
import { timeLeft } from "./render/text.ts";

/** Tells what is going on while it is going on: a line that changes on a terminal, else a line for each event. */
export interface Status {
  /** Something begins that takes a while. */
  working(what: string): void;
  progress(progress: Progress): void;
  waiting(wait: Wait): void;
  /** Takes the changing line off the terminal; the next event brings it back. */
  pause(): void;
}

/** Runs something with a status that is taken off the terminal when it ends, however it ends. */
export async function withStatus<Result>(
  console: Console,
  work: (status: Status) => Promise<Result>,
): Promise<Result> {
  const { isTTY, columns = 0 } = console.io.stderr;
  // Some terminals do not know how wide they are: a line that changes cannot be drawn there.
  const status = isTTY && columns >= 20 ? await terminalStatus(console) : new LineStatus(console);
  try {
    return await work(status);
  } finally {
    status.pause();
  }
}

async function terminalStatus(console: Console): Promise<Status> {
  const { TerminalStatus } = await import("./terminal-status.ts");
  return new TerminalStatus(console);
}

class LineStatus implements Status {
  readonly #console: Console;

  constructor(console: Console) {
    this.#console = console;
  }

  working(): void {
    // Nothing to see yet.
  }

  progress({ event, action, outcome, finished, total }: Progress): void {
    if (event !== "finished" || !outcome) return;
    // Why something was not done stands in the report.
    const what = outcome.status === "done" ? accomplished(outcome) : outcome.status;
    this.#console.note(`[${finished}/${total}] ${what.padEnd(8)} ${title(action.address)}`);
  }

  waiting({ reason, until }: Wait): void {
    if (reason === "quota") this.#console.note(`${quotaWait(until, Date.now())}.`);
  }

  pause(): void {
    // There is no line that changes.
  }
}

/** What is being waited for, until when. */
export function quotaWait(until: Date, now: number): string {
  return `The request quota is used up; going on in ${timeLeft(until, now)}, at ${until.toISOString().slice(11, 19)} UTC`;
}
