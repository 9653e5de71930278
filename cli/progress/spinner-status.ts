import ora, { type Ora } from "ora";
import type { Outcome, Progress } from "../../core/execution/execute/index.ts";
import type { ReadCount } from "../../core/state/live/index.ts";
import { type Clock, longWait, systemClock, type Wait } from "../../core/api/index.ts";
import type { FollowedService } from "../../core/operations/index.ts";
import { shorten } from "../../core/values/text.ts";
import type { Console } from "../terminal/console.ts";
import { title, counted, duration, elapsed, timeLeft } from "../render/text.ts";
import { changeText, FollowedServices } from "../../core/deployments/index.ts";
import { openText, RunningActions, type Status, Stopwatch } from "./status.ts";
import type { Colors } from "../terminal/colors.ts";
import { accomplished } from "../render/outcomes.ts";

const readingLive = "reading live resources";

/** Milliseconds for which nobody asks how long something takes. */
const shortTime = 2_000;

/** A line for each finished action, and below them a spinner with the running ones, or a countdown of the quota. */
export class SpinnerStatus implements Status {
  readonly #console: Console;
  readonly #spinner: Ora;
  readonly #running = new RunningActions();
  readonly #services = new FollowedServices();
  readonly #stopwatch: Stopwatch;
  readonly #clock: Clock;
  #line = "";
  /** When it began what it does, in milliseconds since 1970. */
  #since: number | undefined;
  #doing = "";
  #hasActions = false;
  #isReading = false;
  /** The end of the current wait for each reason, in milliseconds since 1970. */
  readonly #waits: Record<Wait["reason"], number> = {
    quota: 0,
    limited: 0,
    retry: 0,
    answer: 0,
    clone: 0,
    lists: 0,
  };
  #ticking: NodeJS.Timeout | undefined;

  constructor(console: Console) {
    this.#console = console;
    this.#clock = console.io.clock ?? systemClock;
    this.#stopwatch = new Stopwatch(this.#clock);
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
    this.#doing = what;
    this.#since = this.#clock.now();
    this.#show(what);
  }

  reading(): void {
    this.#isReading = true;
    this.#since = this.#clock.now();
    this.#show(readingLive);
  }

  read({ read, total }: ReadCount): void {
    if (this.#isReading) this.#show(`${readingLive}: ${read} of ${counted(total, "list")}`);
  }

  progress(progress: Progress): void {
    const { event, action, outcome, finished, total } = progress;
    this.#isReading = false;
    this.#hasActions = true;
    this.#running.enter(progress);
    if (event === "started") this.#stopwatch.start(action.id);
    // The report lists skipped actions.
    else if (outcome && outcome.status !== "skipped") this.#record(outcome, `[${finished}/${total}] `);
    this.#since = this.#stopwatch.since(this.#running.first ?? "");
    this.#show(`[${finished}/${total}] ${this.#running.text}`);
  }

  deploying(services: readonly FollowedService[]): void {
    const line = this.#hasActions ? this.#line : (openText(this.#doing, services) ?? this.#line);
    for (const service of this.#services.changed(services)) {
      // The end of an action has a line of its own.
      if (this.#hasActions && service.result !== "unfinished") continue;
      this.pause();
      this.#console.note(changeText(service));
    }
    this.#show(line);
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
    Object.assign(this.#waits, { retry: 0, answer: 0, clone: 0 });
    this.#draw();
  }

  #draw(): void {
    const now = Date.now();
    const { retry, answer, clone } = this.#waits;
    const took = this.#since === undefined ? 0 : this.#clock.now() - this.#since;
    const line = took < shortTime ? this.#line : `${this.#line} (${elapsed(took)})`;
    this.#ticking ??= setInterval(() => this.#draw(), 1000).unref();
    const reason = this.#waits.quota > now ? "quota" : "limited";
    // An interruption ends a wait of all requests.
    const all = this.#console.io.signal.aborted ? 0 : this.#waits[reason];
    if (all > now) this.#render(longWait({ reason, until: new Date(all) }, now));
    else if (retry > now) this.#render(`${line} (trying again in ${timeLeft(new Date(retry), now)})`);
    else if (answer > now)
      this.#render(`${line} (no answer yet; this try ends in ${timeLeft(new Date(answer), now)})`);
    else if (clone > now)
      this.#render(`${line} (a clone may bring it; ${timeLeft(new Date(clone), now)} at most)`);
    else this.#render(line);
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

/** Starts a spinner whose timer keeps no process alive (see `beforeExit` in main.ts); ora has no option for that. */
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

/** The line about an action: `created  Job shop/staging/nightly (0.4 s)`; `took` is undefined if it was never started. */
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
