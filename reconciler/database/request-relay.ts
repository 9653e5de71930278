import { randomUUID } from "node:crypto";
import { comesWithin, type Clock } from "../../core/api/index.ts";
import type { Json } from "../../core/values/json.ts";
import type { Leases } from "./leases.ts";

/** The channels on which workers tell each other of requests and answers, by id. What they say is in a table, which only they can write. */
export const passingChannels = { requested: "infrasync_requested", answered: "infrasync_answered" } as const;

/** How long a worker waits for the answer of another one, in milliseconds. */
const patience = 10_000;

/** The connections of a worker that passes requests on. */
export interface RequestRelaySettings {
  leases: Pick<Leases, "query" | "has">;
  clock: Clock;
  answer(source: string, request: Json): Promise<Json>;
}

/** Passes requests on to the worker that has a source, by way of the database: workers need not reach each other. */
export class RequestRelay {
  static readonly channels = Object.values(passingChannels);
  readonly #settings: RequestRelaySettings;
  readonly #waiting = new Map<string, () => void>();

  constructor(settings: RequestRelaySettings) {
    this.#settings = settings;
  }

  /** The answer of the worker that has a source; undefined if it does not answer. @throws DatabaseError */
  async ask(source: string, request: Json): Promise<Json | undefined> {
    const { leases, clock } = this.#settings;
    const id = randomUUID();
    const answered = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    try {
      await leases.query(
        `with passed as (insert into infrasync.passed_request (id, source, request) values ($1, $2, $3) returning id)
         select pg_notify($4, id::text) from passed`,
        [id, source, JSON.stringify(request), passingChannels.requested],
      );
      await comesWithin(clock, patience, answered);
      const [row] = await leases.query<{ answer: Json }>(
        "delete from infrasync.passed_request where id = $1 returning answer",
        [id],
      );
      return row?.answer ?? undefined;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Receives a notice of another worker. */
  async heard(channel: string, id: string): Promise<void> {
    if (channel === passingChannels.answered) return this.#waiting.get(id)?.();
    const { leases, answer } = this.#settings;
    const [requested] = await leases.query<{ source: string; request: Json }>(
      "select source, request from infrasync.passed_request where id = $1 and answer is null",
      [id],
    );
    if (!requested || !leases.has(requested.source)) return;
    const given = JSON.stringify(await answer(requested.source, requested.request));
    await leases.query(
      `with answered as (update infrasync.passed_request set answer = $2 where id = $1 returning id)
       select pg_notify($3, id::text) from answered`,
      [id, given, passingChannels.answered],
    );
    // Requests whose waiting worker has died.
    await leases.query(
      "delete from infrasync.passed_request where requested_at < now() - interval '1 minute'",
    );
  }
}
