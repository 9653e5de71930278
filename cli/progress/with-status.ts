import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { isCi, isInteractive } from "../terminal/colors.ts";
import { changeText, FollowedServices } from "../../core/deployments/index.ts";
import { openText, RunningActions, type Status, Stopwatch } from "./status.ts";
import { duration, title } from "../render/text.ts";
import type { Progress } from "../../core/execution/execute/index.ts";
import { longWait, systemClock, type Wait } from "../../core/api/index.ts";
import type { FollowedService } from "../../core/operations/index.ts";
import { accomplished } from "../render/outcomes.ts";
import { formatAddress } from "../../core/model/addresses/address.ts";
import { withAdvice } from "../render/remedies.ts";

/** Writes a line of JSON to standard output for each event. */
class JsonLinesStatus implements Status {
  readonly #console: Console;
  readonly #stopwatch: Stopwatch;
  readonly #services = new FollowedServices();

  constructor(console: Console) {
    this.#console = console;
    this.#stopwatch = new Stopwatch(console.io.clock);
  }

  working(): void {
    // The steps before the plan have no events.
  }

  reading(): void {
    // As above.
  }

  read(): void {
    // As above.
  }

  progress({ event, action, outcome, finished, total }: Progress): void {
    const { id, address, type } = action;
    if (event === "started") this.#stopwatch.start(id);
    const message = outcome && outcome.status !== "done" ? withAdvice(outcome) : undefined;
    this.#write(event, {
      id,
      address: formatAddress(address),
      type,
      ...(outcome && { status: outcome.status, milliseconds: this.#stopwatch.stop(id) ?? 0 }),
      ...(message !== undefined && message !== "" && { message }),
      finished,
      total,
    });
  }

  deploying(services: readonly FollowedService[]): void {
    for (const { service, state, result } of this.#services.changed(services))
      this.#write("state", { address: formatAddress(service.address), state: state === "" ? result : state });
  }

  waiting({ reason, until }: Wait): void {
    this.#write("waiting", { reason, until: until.toISOString() });
  }

  pause(): void {
    // Nothing to remove: no line is ever redrawn.
  }

  #write(event: string, members: object): void {
    this.#console.event(event, members);
  }
}

/** Shorter waits for the next try are not reported, in milliseconds. */
const shortWait = 5000;

/** Milliseconds without a line after which one reports the progress, for people who look at it and for a log. */
const longSilence = { terminal: 5_000, log: 60_000 };

/** Writes a line for each event, and one after each silence, for output in which no line can be redrawn. */
export class LineStatus implements Status {
  readonly #console: Pick<Console, "note" | "io">;
  readonly #running = new RunningActions();
  readonly #services = new FollowedServices();
  #what = "";
  /** When it began, in milliseconds since 1970. */
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #hasActions = false;

  constructor(console: Pick<Console, "note" | "io">) {
    this.#console = console;
  }

  working(what: string): void {
    this.#goOn(what);
  }

  reading(): void {
    this.#goOn("reading live resources");
  }

  read(): void {
    // Without a terminal, no count is redrawn.
  }

  progress(progress: Progress): void {
    const { event, action, outcome, finished, total } = progress;
    this.#hasActions = true;
    this.#running.enter(progress);
    this.#goOn(this.#running.text);
    // The report gives the reasons for failures, and lists skipped actions.
    if (event !== "finished" || !outcome || outcome.status === "skipped") return;
    const what = outcome.status === "done" ? accomplished(outcome) : outcome.status;
    this.#note(`[${finished}/${total}] ${what.padEnd(8)} ${title(action.address)}`);
  }

  deploying(services: readonly FollowedService[]): void {
    for (const service of this.#services.changed(services))
      // The end of an action has a line of its own.
      if (!this.#hasActions || service.result === "unfinished") this.#note(changeText(service));
    if (!this.#hasActions) this.#goOn(openText("waiting for", services) ?? this.#what);
  }

  waiting(wait: Wait): void {
    const now = Date.now();
    const isShort = wait.reason === "retry" && wait.until.getTime() - now < shortWait;
    if (!isShort) this.#note(`${longWait(wait, now)}.`);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
  }

  #note(line: string): void {
    this.#console.note(line);
    this.#timer?.refresh();
  }

  #goOn(what: string): void {
    const { clock = systemClock } = this.#console.io;
    this.#what = what;
    this.#since ??= clock.now();
    const since = this.#since;
    const { stderr, env } = this.#console.io;
    this.#timer ??= setInterval(
      () => this.#console.note(`Still ${this.#what} (${duration(clock.now() - since)})`),
      longSilence[stderr.isTTY && !isCi(env) ? "terminal" : "log"],
    ).unref();
  }
}

/** Runs work with a status line, which is removed from the terminal when the work ends or fails. */
export async function withStatus<Result>(
  console: Console,
  work: (status: Status) => Promise<Result>,
): Promise<Result> {
  const status = await statusFor(console);
  try {
    return await work(status);
  } finally {
    status.pause();
  }
}

/** Runs work outside the steps of a command, such as a fetch, with a line on standard error after each silence. */
export async function withLines<Result>(io: Io, what: string, work: () => Promise<Result>): Promise<Result> {
  const status = new LineStatus({ io, note: (line) => void io.stderr.write(`${line}\n`) });
  status.working(what);
  try {
    return await work();
  } finally {
    status.pause();
  }
}

async function statusFor(console: Console): Promise<Status> {
  if (console.jsonLines) return new JsonLinesStatus(console);
  const { stderr, env } = console.io;
  // On terminals that do not report their width, a line cannot be redrawn.
  if (!isInteractive(stderr, env) || (stderr.columns ?? 0) < 20) return new LineStatus(console);
  const { SpinnerStatus } = await import("./spinner-status.ts");
  return new SpinnerStatus(console);
}
