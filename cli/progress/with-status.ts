import type { Console } from "../terminal/console.ts";
import { isInteractive } from "../terminal/colors.ts";
import { type Status, longWait, Stopwatch } from "./status.ts";
import type { Progress } from "../../core/execution/execute/index.ts";
import type { Wait } from "../../core/api/index.ts";
import { title } from "../render/title.ts";
import { accomplished } from "../render/outcomes.ts";
import { formatAddress } from "../../core/model/addresses/address.ts";
import { withAdvice } from "../render/remedies.ts";

/** Writes a line of JSON to standard output for each event. */
class JsonLinesStatus implements Status {
  readonly #console: Console;
  readonly #stopwatch: Stopwatch;

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

/** Nobody is told of a shorter wait for the next try, in milliseconds. */
const shortWait = 5000;

/** Writes a line for each event, for output that is not a terminal. */
class LineStatus implements Status {
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
    const now = Date.now();
    const isShort = wait.reason === "retry" && wait.until.getTime() - now < shortWait;
    if (!isShort) this.#console.note(`${longWait(wait, now)}.`);
  }

  pause(): void {
    // Nothing to remove: no line is ever redrawn.
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

async function statusFor(console: Console): Promise<Status> {
  if (console.jsonLines) return new JsonLinesStatus(console);
  const { stderr, env } = console.io;
  // On terminals that do not report their width, a line cannot be redrawn.
  if (!isInteractive(stderr, env) || (stderr.columns ?? 0) < 20) return new LineStatus(console);
  const { SpinnerStatus } = await import("./spinner-status.ts");
  return new SpinnerStatus(console);
}
