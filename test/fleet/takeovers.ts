import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "./postgres.ts";

/** How long the sources of a worker that was hit were without one. */
export interface Takeover {
  blow: string;
  /** How many sources it had. */
  sources: number;
  /** Milliseconds until the first, and the last, was another worker's; undefined if it came back before. */
  first?: number;
  last?: number;
  /** Whether the database was there all the time. */
  isUndisturbed: boolean;
}

/** Watches who has the sources of a worker, until others have all of them, or the signal. */
export async function takeoverOf(
  blow: string,
  postgres: Postgres,
  worker: number,
  signal: AbortSignal,
): Promise<Takeover> {
  const started = performance.now();
  const takeover: Takeover = { blow, sources: 0, isUndisturbed: true };
  let its: string[] | undefined;
  while (!signal.aborted) {
    try {
      its ??= (
        await postgres.query<{ source: string }>(
          "select source from infrasync.source_status s join infrasync.worker w on w.id = s.worker where w.process_id = $1",
          [worker],
        )
      ).map(({ source }) => source);
      takeover.sources = its.length;
      const [left] = await postgres.query<{ count: number }>(
        `select count(*)::integer as count from infrasync.source_status s left join infrasync.worker w on w.id = s.worker
         where s.source = any($1) and (w.id is null or w.process_id = $2)`,
        [its, worker],
      );
      const taken = its.length - (left?.count ?? 0);
      if (taken > 0) takeover.first ??= performance.now() - started;
      if (taken === its.length) {
        takeover.last = performance.now() - started;
        return takeover;
      }
    } catch {
      takeover.isUndisturbed = false;
    }
    await sleep(200);
  }
  return takeover;
}

/** The takeovers as a table: how long the last source of a worker waited, by what had hit it. */
export function tableOf(takeovers: readonly Takeover[]): string {
  const seconds = (milliseconds: number | undefined) =>
    milliseconds === undefined ? "-" : `${(milliseconds / 1000).toFixed(1)} s`;
  const rows = [...Map.groupBy(takeovers, ({ blow }) => blow)].map(([blow, its]) => {
    const whole = its.filter(({ last, sources, isUndisturbed }) => isUndisturbed && sources > 0 && last);
    const times = whole.map(({ last = 0 }) => last).toSorted((one, other) => one - other);
    return [
      blow,
      String(its.length),
      String(times.length),
      seconds(times[Math.floor(times.length / 2)]),
      seconds(times.at(-1)),
    ].join(" | ");
  });
  return ["blow | times | all sources taken over | median | longest", "---|---|---|---|---", ...rows].join(
    "\n",
  );
}
