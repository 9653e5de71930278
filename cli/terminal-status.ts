import ora, { type Ora } from "ora";
import type { Progress } from "../core/apply/index.ts";
import type { Wait } from "../core/api/settings.ts";
import type { Action } from "../core/plan/action.ts";
import { shorten } from "../core/text.ts";
import type { Console } from "./console.ts";
import { title } from "./render/actions.ts";
import { timeLeft } from "./render/text.ts";
import { quotaWait, type Status } from "./status.ts";

const doing: Record<Action["type"], string> = {
  create: "creating",
  clone: "cloning",
  update: "updating",
  replace: "replacing",
  delete: "deleting",
  none: "looking at",
};

/** A line with a spinner: what runs, and how many of how many; while nothing may be sent, a countdown. */
export class TerminalStatus implements Status {
  readonly #console: Console;
  readonly #spinner: Ora;
  readonly #running = new Map<string, Action>();
  #line = "";
  #ticking: NodeJS.Timeout | undefined;

  constructor(console: Console) {
    this.#console = console;
    this.#spinner = ora({
      stream: console.io.stderr,
      isEnabled: true,
      color: console.noteColors.isColorSupported ? "cyan" : false,
      discardStdin: false,
      hideCursor: true,
    });
  }

  working(what: string): void {
    this.#show(what);
  }

  progress({ event, action, finished, total }: Progress): void {
    if (event === "started") this.#running.set(action.address, action);
    else this.#running.delete(action.address);
    const [first, ...others] = this.#running.values();
    const what = first ? `${doing[first.type]} ${title(first.address)}` : "finishing";
    this.#show(`[${finished}/${total}] ${what}${others.length > 0 ? ` and ${others.length} more` : ""}`);
  }

  waiting({ reason, until }: Wait): void {
    clearInterval(this.#ticking);
    const tick = () => {
      const now = Date.now();
      if (until.getTime() <= now) {
        clearInterval(this.#ticking);
        this.#render(this.#line);
      } else
        this.#render(
          reason === "quota"
            ? quotaWait(until, now)
            : `${this.#line} (trying again in ${timeLeft(until, now)})`,
        );
    };
    this.#ticking = setInterval(tick, 1000).unref();
    tick();
  }

  pause(): void {
    clearInterval(this.#ticking);
    if (this.#spinner.isSpinning) this.#spinner.stop();
  }

  #show(line: string): void {
    clearInterval(this.#ticking);
    this.#line = line;
    this.#render(line);
  }

  #render(line: string): void {
    this.#spinner.text = this.#console.redact(
      shorten(line, Math.max(10, (this.#console.io.stderr.columns ?? 80) - 4)),
    );
    if (!this.#spinner.isSpinning) this.#spinner.start();
  }
}
