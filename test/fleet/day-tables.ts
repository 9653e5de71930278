import type { Sent } from "./api-log.ts";
import type { WindowSpending } from "./day-watch.ts";
import type { FastTime } from "./fast-time.ts";

/** The requests of a window of the quota. */
export interface WindowRow {
  /** The hour of the day in which it began. */
  hour: number;
  requests: number;
  events: number;
  /** Lists of the organization. */
  lists: number;
  /** Other reads. */
  reads: number;
  writes: number;
  /** By the ledger. */
  checking: number;
  applying: number;
  refused: number;
}

const window = 3600;

/** What was sent in each window of the quota, and for what. */
export function hoursOf(
  sent: readonly Sent[],
  ledger: ReadonlyMap<number, WindowSpending>,
  time: FastTime,
): WindowRow[] {
  return [...Map.groupBy(sent, ({ window: end }) => end)].map(([end, its]) => {
    const count = (what: RegExp) => its.filter(({ line }) => what.test(line)).length;
    const [events, all] = [count(/^GET \S*\/events/), count(/^GET /)];
    const lists = count(/^GET \/organization(?!\S*\/events)/);
    const { checking = 0, applying = 0 } = ledger.get(end) ?? {};
    return {
      hour: (end - window - time.origin / 1000) / 3600,
      requests: its.length,
      events,
      lists,
      reads: all - events - lists,
      writes: its.length - all,
      checking,
      applying,
      refused: its.filter(({ status }) => status === 429).length,
    };
  });
}

/** The same members of all rows, as a table. */
export function tableOf(rows: readonly object[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value: unknown) => (typeof value === "number" ? Math.round(value * 10) / 10 : String(value)))
      .join(" | "),
  );
  return [names.join(" | "), names.map(() => "---").join("|"), ...lines].join("\n");
}
