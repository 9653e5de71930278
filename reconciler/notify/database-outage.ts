import type { Clock } from "../../core/api/index.ts";
import type { NewEntry } from "../journal/index.ts";

/** Milliseconds of a database outage before it is reported: a fail-over takes seconds. */
const longestFailOver = 30_000;

/** Reports once that the database is away for longer than a fail-over takes, and when it is back. */
export class DatabaseOutage {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #tell: (entry: NewEntry) => void;
  #away: { since: number; isReported: boolean } | undefined;

  constructor(clock: Clock, signal: AbortSignal, tell: (entry: NewEntry) => void) {
    this.#clock = clock;
    this.#signal = signal;
    this.#tell = tell;
  }

  away(reason: string): void {
    const away = { since: this.#clock.now(), isReported: false };
    this.#away = away;
    void this.#tellLater(away, reason);
  }

  back(): void {
    if (this.#away?.isReported) this.#tell({ type: "database_back", since: this.#away.since });
    this.#away = undefined;
  }

  async #tellLater(away: { since: number; isReported: boolean }, reason: string): Promise<void> {
    await this.#clock.sleep(longestFailOver, this.#signal);
    if (this.#away !== away || this.#signal.aborted) return;
    away.isReported = true;
    this.#tell({ type: "database_away", since: away.since, reason });
  }
}
