import type { Clock } from "../../core/api/index.ts";
import type { NewEntry } from "../journal/index.ts";

/** Milliseconds of a database outage before it is reported: a fail-over takes seconds. */
const longestFailOver = 30_000;

/** Reports once that the database is away for longer than a fail-over takes, and when it is back. */
export function databaseOutage(
  clock: Clock,
  signal: AbortSignal,
  tell: (entry: NewEntry) => void,
): { away(reason: string): void; back(): void } {
  let last: { since: number; isReported: boolean } | undefined;
  return {
    async away(reason) {
      const away = { since: clock.now(), isReported: false };
      last = away;
      await clock.sleep(longestFailOver, signal);
      if (last !== away || signal.aborted) return;
      away.isReported = true;
      tell({ type: "database_unreachable", since: away.since, reason });
    },
    back() {
      if (last?.isReported) tell({ type: "database_back", since: last.since });
      last = undefined;
    },
  };
}
