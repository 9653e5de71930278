import type { Progress } from "../../core/execution/execute/index.ts";
import type { ReadCount } from "../../core/state/live/index.ts";
import { type Wait, type Clock, systemClock } from "../../core/api/index.ts";
import type { FollowedService } from "../../core/operations/index.ts";
import { type Action, factsOf } from "../../core/planning/plan/index.ts";
import { timeLeft, title } from "../render/text.ts";

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

export function longWait({ reason, until, subject = "" }: Omit<Wait, "attempt">, now: number): string {
  const left = timeLeft(until, now);
  if (reason === "answer") return `The server has not answered yet; this try ends in ${left}`;
  if (reason === "clone") return `A clone may still bring ${subject}; waiting for it, ${left} at most`;
  if (reason === "lists") return `No list shows ${subject} yet; waiting for the list, ${left} at most`;
  return `${reasons[reason]}; continuing in ${left}, at ${until.toISOString().slice(11, 19)} UTC`;
}

const reasons = {
  quota: "The request quota is used up",
  limited: "The server takes no requests for a while (429)",
  retry: "A request has failed",
};

/** The services of deployments, by the changes of their states. */
export class FollowedServices {
  /** The last known states, by the ids of the services. */
  readonly #states = new Map<string, string>();

  /** The services whose state has changed since the last call. */
  changed(services: readonly FollowedService[]): FollowedService[] {
    return services.filter(({ service: { id }, state, result }) => {
      const now = state === "" && result !== "unfinished" ? result : state;
      if (now === "" || this.#states.get(id) === now) return false;
      this.#states.set(id, now);
      return true;
    });
  }
}

/** The line for a service whose state has changed: `BUILDING Application shop/staging/api`. */
export function changeText({ service: { address }, state, result }: FollowedService): string {
  return `${state === "" ? result : state} ${title(address)}`;
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
