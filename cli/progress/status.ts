import type { Progress } from "../../core/execution/execute/index.ts";
import type { ReadCount } from "../../core/state/live/index.ts";
import { type Wait, type Clock, systemClock } from "../../core/api/index.ts";
import type { FollowedService } from "../../core/operations/index.ts";
import { type Action, factsOf } from "../../core/planning/plan/index.ts";
import { title } from "../render/text.ts";

/** Shows progress: a line that is redrawn on a terminal, otherwise a line for each event. */
export interface Status {
  /** Shows the start of work that takes a while. */
  working(what: string): void;
  /** Shows that live resources are read, and how many lists of them, until something else happens. */
  reading(): void;
  /** How many lists are read of those that are known to be needed. */
  read(count: ReadCount): void;
  progress(progress: Progress): void;
  /** Shows the services of a deployment that the run follows: a line for each whose state has changed. */
  deploying(services: readonly FollowedService[]): void;
  waiting(wait: Wait): void;
  /** Removes the redrawn line from the terminal; the next event shows it again. */
  pause(): void;
}

/** The services that are not done, in a few words: `deploying Job shop/staging/a and 2 more: BUILDING`. */
export function openText(doing: string, services: readonly FollowedService[]): string | undefined {
  const open = services.filter(({ result }) => result === "unfinished");
  const [first] = open;
  if (!first) return undefined;
  const more = open.length > 1 ? ` and ${open.length - 1} more` : "";
  return `${doing} ${title(first.service.address)}${more}${first.state === "" ? "" : `: ${first.state}`}`;
}

export class RunningActions {
  readonly #running = new Map<string, Action>();

  enter({ event, action }: Progress): void {
    if (event === "started") this.#running.set(action.id, action);
    else this.#running.delete(action.id);
  }

  /** The id of the one that has run for longest. */
  get first(): string | undefined {
    return [...this.#running.keys()][0];
  }

  /** What they do: `creating Job shop/staging/a and 2 more`. */
  get text(): string {
    const [first, ...others] = this.#running.values();
    const what = first ? `${factsOf(first).doing} ${title(first.address)}` : "finishing";
    return `${what}${others.length > 0 ? ` and ${others.length} more` : ""}`;
  }
}

/** Measures how long actions take. */
export class Stopwatch {
  readonly #clock: Clock;
  /** Milliseconds since 1970, by the id of the action. */
  readonly #started = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(id: string): void {
    this.#started.set(id, this.#clock.now());
  }

  /** When an action was started; undefined for one that was not. */
  since(id: string): number | undefined {
    return this.#started.get(id);
  }

  /** Milliseconds since the start; undefined for an action that was never started. */
  stop(id: string): number | undefined {
    const started = this.#started.get(id);
    return started === undefined ? undefined : Math.max(0, Math.round(this.#clock.now() - started));
  }
}
