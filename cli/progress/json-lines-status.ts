import type { Wait } from "../../core/api/index.ts";
import type { Progress } from "../../core/execute/index.ts";
import { formatAddress } from "../../core/address.ts";
import type { Console } from "../terminal/console.ts";
import { withAdvice } from "../render/remedies.ts";
import { Stopwatch, type Status } from "./status.ts";

/** Writes a line of JSON to standard output for each event. */
export class JsonLinesStatus implements Status {
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
