import type { Progress } from "../../core/apply/index.ts";
import type { Wait } from "../../core/api/settings.ts";
import { title } from "../render/actions.ts";
import { accomplished } from "../render/outcomes.ts";
import type { Console } from "./console.ts";
import { quotaWait, type Status } from "./status.ts";

/** A line for each event, where there is no terminal. */
export class LineStatus implements Status {
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
