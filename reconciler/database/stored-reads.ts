import { createHash } from "node:crypto";
import type { Clock, SharedReads } from "../../core/api/index.ts";
import type { Leases } from "./leases.ts";
import Type, { type TSchema } from "typebox";
import { readStored } from "../../core/files/stored-form.ts";
import { form, optional, orNull } from "../../core/outputs/forms/forms.ts";

/** Members with a plain value. */
function plain(...members: readonly string[]): Record<string, TSchema> {
  const value = orNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
  return Object.fromEntries(members.map((member) => [member, optional(value)]));
}

/**
 * The forms in which an organization's lists are stored. Nothing here can have the value of a variable or a credential: the
 * `change` and the `original_change` of an event can, and so can whatever else a server may send.
 */
const forms: Readonly<Record<string, TSchema>> = {
  events: form({
    events: Type.Array(
      form(
        plain(
          "id",
          "timestamp",
          "event_type",
          "target_type",
          "sub_target_type",
          "target_id",
          "target_name",
          "project_id",
          "environment_id",
          "user_agent",
          "triggered_by",
          "origin",
        ),
      ),
    ),
    links: optional(orNull(form(plain("next")))),
    ...plain("organization_max_limit_reached"),
  }),
  project: Type.Array(form(plain("id", "name", "description"))),
  environments: Type.Array(form({ ...plain("id", "name"), project: optional(form(plain("id"))) })),
  services: Type.Array(form(plain("id", "name", "environment_id"))),
};

/** The form in which the answer to a request may be in a database; undefined: in none. */
function formOf(request: string): TSchema | undefined {
  const [, list = ""] =
    /^(?:all of )?\/organization\/[^/ ]+\/(events|project|environments|services) \{/.exec(request) ?? [];
  return forms[list];
}

/** Milliseconds after which another worker may read in the place of one that has started to. */
const longestReading = 4000;
/** Milliseconds for which a worker waits for others. */
const longestWait = 5000;
/** Milliseconds between two looks for what it has read. */
const pause = 100;
/** An answer that nobody has read for so long is removed. */
const longestAge = "1 hour";

/** The answers that all workers have read of one organization with one token, without secret values. Their age is by the clock of the database. */
export class StoredReads implements SharedReads {
  readonly #leases: Pick<Leases, "query" | "pace">;
  readonly #clock: Clock;
  readonly #key: string;
  /** The reads that this worker has started: when, by the clock of the database and by its own. */
  readonly #started = new Map<string, { noted: string; at: number }>();

  /** @param key of the token, its server and the organization: no part of it can be read from the key */
  constructor(leases: Pick<Leases, "query" | "pace">, clock: Clock, key: string) {
    this.#leases = leases;
    this.#clock = clock;
    this.#key = key;
  }

  /** Where the database cannot be asked, there is nothing: each reads for itself. */
  async find(request: string, since: number): Promise<{ answer: unknown } | undefined> {
    const its = formOf(request);
    if (!its) return undefined;
    const clock = this.#clock;
    const until = clock.now() + longestWait * this.#leases.pace.factor;
    try {
      while (clock.now() <= until) {
        const { answer, noted } = await this.#ask(request, since);
        const { content } = readStored(its, answer);
        if (content !== undefined) return { answer: content };
        if (noted !== null) {
          this.#started.set(request, { noted, at: clock.now() });
          return undefined;
        }
        await clock.sleep(pause);
      }
    } catch {
      // The leases report problems of the database.
    }
    return undefined;
  }

  keep(request: string, started: number, answer: unknown): void {
    const its = this.#started.get(request);
    // It was sent before the database has noted the time.
    if (!its || started < its.at) return;
    const storable = formOf(request);
    const { content } = storable ? readStored(storable, answer) : {};
    if (content === undefined) return this.giveUp(request);
    this.#started.delete(request);
    this.#query(
      `with kept as (
         update infrasync.shared_read set answer = $3, begun_at = reading_at, reading_at = null
         where key = $1 and reading_at = $2::timestamptz
       )
       delete from infrasync.shared_read where coalesce(reading_at, begun_at) < now() - interval '${longestAge}'`,
      [this.#keyOf(request), its.noted, JSON.stringify(content)],
    );
  }

  giveUp(request: string): void {
    const its = this.#started.get(request);
    if (!its) return;
    this.#started.delete(request);
    this.#query("delete from infrasync.shared_read where key = $1 and reading_at = $2::timestamptz", [
      this.#keyOf(request),
      its.noted,
    ]);
  }

  /** Gives an answer that is new enough; or notes that this worker reads, unless another one does. */
  async #ask(request: string, since: number): Promise<{ answer: unknown; noted: string | null }> {
    const [row] = await this.#leases.query<{ answer: unknown; noted: string | null }>(
      // A later time is from before the clock of the database was set back.
      `with wanted as (select now() - make_interval(secs => $3) as since, now() + make_interval(secs => $4) as latest),
       noted as (
         insert into infrasync.shared_read as its (key, path, reading_at) values ($1, $2, now())
         on conflict (key) do update set reading_at = now()
           where coalesce(its.begun_at not between (select since from wanted) and (select latest from wanted), true)
             and coalesce(its.reading_at not between now() - make_interval(secs => $4) and (select latest from wanted), true)
         returning its.reading_at::text
       )
       select (select reading_at from noted) as noted,
         (select answer from infrasync.shared_read where key = $1
           and begun_at between (select since from wanted) and (select latest from wanted)) as answer`,
      [
        this.#keyOf(request),
        /\/\S*/.exec(request)?.[0] ?? "",
        (this.#clock.now() - since) / 1000,
        (longestReading * this.#leases.pace.factor) / 1000,
      ],
    );
    return row ?? { answer: null, noted: null };
  }

  #query(text: string, values: readonly unknown[]): void {
    this.#leases.query(text, values).catch(() => undefined);
  }

  #keyOf(request: string): string {
    return createHash("sha256").update(`${this.#key}\n${request}`).digest("hex");
  }
}
