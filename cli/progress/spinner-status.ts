import ora, { type Ora } from "ora";
import type { Outcome, Progress } from "../../core/execution/execute/index.ts";
import type { ReadCount } from "../../core/state/live/index.ts";
import type { Wait } from "../../core/api/index.ts";
import { type Action, factsOf } from "../../core/planning/plan/index.ts";
import { shorten } from "../../core/values/text.ts";
import type { Console } from "../terminal/console.ts";
import { title } from "../render/title.ts";
import { counted, timeLeft, duration } from "../render/text.ts";
import { longWait, type Status, Stopwatch } from "./status.ts";
import type { Colors } from "../terminal/colors.ts";
import { accomplished } from "../render/outcomes.ts";

const readingLive = "reading live resources";

/**
 * A line for each finished action, and below them one with a spinner that shows running actions and how many are
 * finished; a countdown while the quota is used up.
 */
export class SpinnerStatus implements Status {
  readonly #console: Console;
  readonly #spinner: Ora;
  readonly #running = new Map<string, Action>();
  readonly #stopwatch: Stopwatch;
  #line = "";
  #isReading = false;
  /** The end of the current wait for each reason, in milliseconds since 1970. */
  readonly #waits: Record<Wait["reason"], number> = { quota: 0, limited: 0, retry: 0, answer: 0 };
  #ticking: NodeJS.Timeout | undefined;

  constructor(console: Console) {
    this.#console = console;
    this.#stopwatch = new Stopwatch(console.io.clock);
    this.#spinner = ora({
      stream: console.io.stderr,
      isEnabled: true,
      color: console.noteColors.isColorSupported ? "cyan" : false,
      discardStdin: false,
      hideCursor: true,
    });
  }

  working(what: string): void {
    this.#isReading = false;
    this.#show(what);
  }

  reading(): void {
    this.#isReading = true;
    this.#show(readingLive);
  }

  read({ read, total }: ReadCount): void {
    if (this.#isReading) this.#show(`${readingLive}: ${read} of ${counted(total, "list")}`);
  }

  progress({ event, action, outcome, finished, total }: Progress): void {
    this.#isReading = false;
    if (event === "started") {
      this.#running.set(action.id, action);
      this.#stopwatch.start(action.id);
    } else {
      this.#running.delete(action.id);
      // The report lists what was not started.
      if (outcome && outcome.status !== "skipped") this.#record(outcome, `[${finished}/${total}] `);
    }
    const [first, ...others] = this.#running.values();
    const what = first ? `${factsOf(first).doing} ${title(first.address)}` : "finishing";
    this.#show(`[${finished}/${total}] ${what}${others.length > 0 ? ` and ${others.length} more` : ""}`);
  }

  waiting({ reason, until }: Wait): void {
    this.#waits[reason] = until.getTime();
    this.#draw();
  }

  pause(): void {
    this.#isReading = false;
    this.#stopTicking();
    if (this.#spinner.isSpinning) this.#spinner.stop();
  }

  /** Writes what became of an action above the line with the spinner, where it stays. */
  #record(outcome: Outcome, position: string): void {
    this.pause();
    const took = this.#stopwatch.stop(outcome.id);
    const { columns = 80 } = this.#console.io.stderr;
    const width = columns - position.length;
    this.#console.note(position + recordOf(outcome, took, width, this.#console.noteColors));
  }

  #show(line: string): void {
    this.#line = line;
    // A running action is more interesting than one that waits for a retry. The other waits stop all actions.
    this.#waits.retry = 0;
    this.#waits.answer = 0;
    this.#draw();
  }

  #draw(): void {
    const now = Date.now();
    const { retry, answer } = this.#waits;
    const reason = this.#waits.quota > now ? "quota" : "limited";
    // An interruption ends a wait of all requests.
    const all = this.#console.io.signal.aborted ? 0 : this.#waits[reason];
    if (Math.max(all, retry, answer) > now) this.#ticking ??= setInterval(() => this.#draw(), 1000).unref();
    else this.#stopTicking();
    if (all > now) this.#render(longWait({ reason, until: new Date(all) }, now));
    else if (retry > now) this.#render(`${this.#line} (trying again in ${timeLeft(new Date(retry), now)})`);
    else if (answer > now)
      this.#render(`${this.#line} (no answer yet; this try ends in ${timeLeft(new Date(answer), now)})`);
    else this.#render(this.#line);
  }

  #stopTicking(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #render(line: string): void {
    this.#spinner.text = this.#console.redact(
      shorten(line, Math.max(10, (this.#console.io.stderr.columns ?? 80) - 4)),
    );
    if (!this.#spinner.isSpinning) startBeside(this.#spinner);
  }
}

/**
 * Starts a spinner whose timer keeps no process alive: a run that waits for what never comes has to be noticed at a
 * terminal as well (see `beforeExit` in main.ts). ora has no option for that, and keeps its timer to itself.
 */
function startBeside(spinner: Ora): void {
  const { setInterval } = globalThis;
  const unheld = (...args: Parameters<typeof setInterval>): NodeJS.Timeout => setInterval(...args).unref();
  globalThis.setInterval = Object.assign(unheld, setInterval);
  try {
    spinner.start();
  } finally {
    globalThis.setInterval = setInterval;
  }
}

/**
 * The line that tells what became of an action: `created  Job shop/staging/nightly (0.4 s)`. The report gives the reason
 * of a failure.
 *
 * @param took milliseconds; undefined for an action that was never started
 */
export function recordOf(outcome: Outcome, took: number | undefined, width: number, colors: Colors): string {
  const { status } = outcome;
  const what = status === "done" ? accomplished(outcome) : status;
  const time = took === undefined ? "" : ` (${duration(took)})`;
  const word = what.padEnd(8);
  const text = shorten(title(outcome.address), Math.max(10, width - word.length - time.length - 2));
  return `${paint(status, colors)(word)} ${text}${colors.dim(time)}`;
}

function paint(status: Outcome["status"], colors: Colors): (text: string) => string {
  if (status === "done") return colors.green;
  return status === "failed" ? colors.red : colors.yellow;
}
