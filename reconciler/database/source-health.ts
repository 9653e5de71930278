import { hostname } from "node:os";
import { isFields, type Json } from "../../core/values/json.ts";
import type { Leases } from "./leases.ts";

/** The state of a source, reported by its worker. */
export interface SourceHealth {
  source: string;
  worker: string;
  host: string;
  /** How long ago the worker has said so, in milliseconds, by the clock of the database. */
  age: number;
  view: Json;
}

/** Tells all workers how the sources stand that this one has, and learns how the others stand. */
export class SourceHealthExchange {
  readonly #leases: Pick<Leases, "join" | "nextBeat" | "id">;
  #known: readonly SourceHealth[] = [];
  #readAt = performance.now();
  #reported: ReadonlyMap<string, string> = new Map();

  constructor(leases: Pick<Leases, "join" | "nextBeat" | "id">) {
    this.#leases = leases;
  }

  /** The states that were read last; they age by themselves. */
  get known(): readonly SourceHealth[] {
    const since = performance.now() - this.#readAt;
    return this.#known.map((each) => ({ ...each, age: each.age + since }));
  }

  /** Tells how own sources stand, as far as that has changed, and reads how all do, with the next heartbeat. */
  async exchange(
    ownNow: () => readonly { source: string; team?: string; state: string; view: Json }[],
  ): Promise<void> {
    await this.#leases.nextBeat();
    const own = ownNow();
    const texts = new Map(own.map((each) => [each.source, JSON.stringify(each)]));
    const changed = own.filter(({ source }) => texts.get(source) !== this.#reported.get(source));
    // A database that has been away may have lost it.
    this.#reported = new Map();
    const rows = await this.#leases.join<Omit<SourceHealth, "view"> & { view: unknown }>(
      `with reported as (
         insert into infrasync.source_status (source, team, state, worker, host, view)
         select source, team, state, $2, $3, view
         from jsonb_to_recordset($1::jsonb) as own(source text, team text, state text, view jsonb)
         on conflict (source) do update set team = excluded.team, state = excluded.state, worker = excluded.worker,
           host = excluded.host, view = excluded.view, seen_at = now()
       ), left_alone as (
         update infrasync.source_status set worker = '00000000-0000-0000-0000-000000000000', seen_at = now()
         where worker = $2 and not $4::jsonb ? source
       )
       select source, status.worker::text, status.host, view,
         -- A time in the future is from before the clock of the database was set back.
         abs(extract(epoch from now() - coalesce(worker.seen_at, status.seen_at)))::float8 * 1000 as age
       from infrasync.source_status status left join infrasync.worker on worker.id = status.worker where status.worker <> $2`,
      [JSON.stringify(changed), this.#leases.id, hostname(), JSON.stringify([...texts.keys()])],
    );
    this.#reported = texts;
    this.#readAt = performance.now();
    this.#known = rows.map((row) => ({ ...row, view: isFields(row.view) ? row.view : {} }));
  }
}
