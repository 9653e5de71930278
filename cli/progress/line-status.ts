import type { Progress } from "../../core/execute/index.ts";
import type { Wait } from "../../core/api/index.ts";
import { title } from "../render/title.ts";
import { accomplished } from "../render/outcomes.ts";
import type { Console } from "../terminal/console.ts";
import { longWait, type Status } from "./status.ts";

/** Writes a line for each event, for output that is not a terminal. */
export class LineStatus implements Status {
  readonly #console: Console;

  constructor(console: Console) {
    this.#console = console;
  }

  working(): void {
    // Without a terminal, only finished actions are shown.
  }

  reading(): void {
    // As above.
  }

  read(): void {
    // As above.
  }

  progress({ event, action, outcome, finished, total }: Progress): void {
    // The report gives the reasons for failures, and lists what was not started.
    if (event !== "finished" || !outcome || outcome.status === "skipped") return;
    const what = outcome.status === "done" ? accomplished(outcome) : outcome.status;
    this.#console.note(`[${finished}/${total}] ${what.padEnd(8)} ${title(action.address)}`);
  }

  waiting(wait: Wait): void {
    if (wait.reason !== "retry") this.#console.note(`${longWait(wait, Date.now())}.`);
  }

  pause(): void {
    // Nothing to remove: no line is ever redrawn.
  }
}
