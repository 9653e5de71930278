import { hostname } from "node:os";
import { isFields, type Json } from "../../core/json.ts";
import type { Leases } from "./leases.ts";

/** The state of a source, reported by its worker. */
export interface SourceStanding {
  source: string;
  /** The id of the worker that has the source. */
  worker: string;
  /** Its machine. */
  host: string;
  /** How long ago the worker has said so, in milliseconds, by the clock of the database. */
  age: number;
  view: Json;
}

/** Tells all workers how the sources stand that this one has, and learns how the others stand. */
export class Standings {
  readonly #leases: Pick<Leases, "query" | "id">;
  #known: readonly SourceStanding[] = [];
  #readAt = performance.now();

  constructor(leases: Pick<Leases, "query" | "id">) {
    this.#leases = leases;
  }

  /** The states that were read last; they age by themselves. */
  get known(): readonly SourceStanding[] {
    const since = performance.now() - this.#readAt;
    return this.#known.map((each) => ({ ...each, age: each.age + since }));
  }

  /** Tells how own sources stand, and reads how all do. */
  async exchange(
    own: readonly { source: string; team?: string; state: string; view: Json }[],
  ): Promise<void> {
    if (own.length > 0)
      await this.#leases.query(
        `insert into infrasync.standing (source, team, state, worker, host, view)
         select source, team, state, $2, $3, view
         from jsonb_to_recordset($1::jsonb) as own(source text, team text, state text, view jsonb)
         on conflict (source) do update set team = excluded.team, state = excluded.state, worker = excluded.worker,
           host = excluded.host, view = excluded.view, seen_at = now()`,
        [JSON.stringify(own), this.#leases.id, hostname()],
      );
    const rows = await this.#leases.query<Omit<SourceStanding, "view"> & { view: unknown }>(
      `select source, worker::text, host, extract(epoch from now() - seen_at)::float8 * 1000 as age, view
       from infrasync.standing where worker <> $1`,
      [this.#leases.id],
    );
    this.#readAt = performance.now();
    this.#known = rows.map((row) => ({ ...row, view: isFields(row.view) ? row.view : {} }));
  }
}
