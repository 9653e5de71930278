import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import PQueue from "p-queue";
import type { Client, QueryResult } from "pg";
import type { Clock } from "../../core/api/index.ts";
import { connect, DatabaseError, ensureVersion, unreachable } from "../../adapters/database/index.ts";

/** A value that can be written into the text of a query. */
type PlainValue = string | number;

/** A query that is sent together with others. */
interface Joined {
  text: string;
  values: readonly PlainValue[];
  resolve(rows: object[] | Promise<object[]>): void;
  reject(error: unknown): void;
}

/** The right to work on a source: one worker has it at a time. */
export interface Lease {
  /** Aborts when the right is lost, or is given to another worker. */
  lost: AbortSignal;
  /** Resolves when the right was there within the last moments. @throws DatabaseError: it is lost, or nobody knows */
  ensure(): Promise<void>;
  /** Runs a query only while the right is there. @throws DatabaseError */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The same, in one transaction with the sign of life that is being prepared, or at once if none is. @throws DatabaseError */
  join(text: string, values: readonly PlainValue[]): Promise<unknown>;
  nextBeat(): Promise<void>;
  release(): Promise<void>;
}

/** The parts that leases need. */
export interface LeasesSettings {
  url: string;
  version: string;
  clock: Clock;
  signal: AbortSignal;
  /** The channels on which other workers notify this one. */
  channels: readonly string[];
  onNotice(channel: string, text: string): void;
  /** The database has gone, or is back. @param error undefined if it is back */
  onChange(error: unknown): void;
}

/** Milliseconds between two signs of life of a worker. */
const heartbeat = 2000;
/** Milliseconds for which a sign of life waits for what goes along with it. */
const gathering = 500;
/** A sign of life holds for so long, in milliseconds. */
const belief = 1000;
/** Before a write, the database has to answer within this time, in milliseconds; a slow answer costs the worker no source. */
const promptness = 1500;
/** The connection of a worker that has given no sign of life for so long is ended, in seconds. */
const longestSilence = 8;

/** A time by two clocks: one can be set, and the other stands still while a machine sleeps. */
interface Moment {
  set: number;
  counted: number;
}

const never: Moment = { set: -Infinity, counted: -Infinity };

function moment(): Moment {
  return { set: Date.now(), counted: performance.now() };
}

function isWithin({ set, counted }: Moment, milliseconds: number): boolean {
  return Math.max(Math.abs(Date.now() - set), performance.now() - counted) < milliseconds;
}

interface Held extends Lease {
  stop: AbortController;
}

/**
 * Leases of sources: advisory locks on one connection of this worker, which PostgreSQL drops with the connection however it
 * ends. A worker that stands still loses its connection to the others, so that it finds out before its next write.
 */
export class Leases {
  readonly #settings: LeasesSettings;
  readonly id = randomUUID();
  readonly #held = new Map<string, Held>();
  /** Who waits for which source. */
  readonly #wanted = new Map<string, (lease: Lease) => void>();
  #client: Client | undefined;
  /** A connection runs one query at a time. */
  #turns = new PQueue({ concurrency: 1 });
  /** When the connection was asked what it has answered last. */
  #answered = never;
  #asking: Promise<void> | undefined;
  #failure: unknown;
  /** What goes along with the sign of life that is being prepared. */
  #joined: Joined[] | undefined;
  #preparing = Promise.withResolvers<void>();

  constructor(settings: LeasesSettings) {
    this.#settings = settings;
  }

  /** Connects for the first time. @throws DatabaseError */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Takes part until the signal: gives signs of life, takes what is free, and gives up what others should have. */
  async run(): Promise<void> {
    const { clock, signal, onChange } = this.#settings;
    while (!signal.aborted) {
      try {
        if (!this.#client) await this.#connect();
        await this.#beat();
        if (this.#failure !== undefined) onChange(undefined);
        this.#failure = undefined;
      } catch (error) {
        if (this.#failure === undefined) onChange(error);
        this.#failure = error;
        await this.#drop(error);
        this.#wake();
      }
      await clock.sleep(heartbeat - gathering, signal);
    }
    this.#preparing.resolve();
  }

  /** Resolves when the next sign of life is being prepared, or fails, so that what waits for it may join it. */
  nextBeat(): Promise<void> {
    return this.#preparing.promise;
  }

  #wake(): void {
    this.#preparing.resolve();
    this.#preparing = Promise.withResolvers();
  }

  /** Waits for the right to work on a source. @throws DatabaseError when the signal comes first */
  async take(source: string, signal: AbortSignal): Promise<Lease> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#wanted.delete(source);
        reject(new DatabaseError("the source is not needed any more", ""));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      this.#wanted.set(source, (lease) => {
        signal.removeEventListener("abort", onAbort);
        resolve(lease);
      });
      return undefined;
    });
  }

  /** Whether this worker has the right to work on a source. */
  has(source: string): boolean {
    return this.#held.has(source);
  }

  /** The connection of the locks; undefined: there is none. Notices may have been missed between two. */
  get connection(): unknown {
    return this.#client;
  }

  /** Runs a query on the connection of the locks: it fails when the locks are gone. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#use(async (client) => (await client.query<Row>(text, [...values])).rows);
  }

  /** Runs a query in one transaction with the sign of life that is being prepared, or at once if none is. */
  join<Row extends object>(text: string, values: readonly PlainValue[]): Promise<Row[]> {
    const all = this.#joined;
    if (!all) return this.query<Row>(text, values);
    return new Promise((resolve, reject) => {
      all.push({ text, values, resolve: (rows) => resolve(rows as Row[] | Promise<Row[]>), reject });
    });
  }

  async #use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = this.#client;
    if (!client) throw unreachable(this.#failure);
    // The locks were there when the database took the query, and nobody knows about later.
    const asked = moment();
    try {
      const result = await this.#turns.add(() => work(client));
      if (client !== this.#client) throw unreachable(undefined);
      this.#answered = asked;
      return result;
    } catch (error) {
      if (client === this.#client && !isRefusal(error)) await this.#drop(error);
      throw isRefusal(error) ? error : unreachable(error);
    }
  }

  /**
   * Sends queries as one message, which PostgreSQL carries out as one transaction: it never waits for this process with rows
   * locked. Where it refuses one, each is sent again by itself.
   */
  async #sendTogether(all: readonly Joined[]): Promise<void> {
    try {
      const results = await this.#use(async (client) => {
        const texts = all.map(({ text, values }) =>
          text.replace(/\$(\d+)/g, (_whole, number) => client.escapeLiteral(String(values[number - 1]))),
        );
        const answers: QueryResult<object> | QueryResult<object>[] = await client.query(texts.join(";\n"));
        return [answers].flat();
      });
      for (const [index, { resolve }] of all.entries()) resolve(results[index]?.rows ?? []);
    } catch (error) {
      if (isRefusal(error) && all.length > 1)
        for (const { text, values, resolve } of all) resolve(this.query(text, values));
      else for (const { reject } of all) reject(error);
    }
  }

  async close(): Promise<void> {
    await this.query("delete from infrasync.worker where id = $1", [this.id]).catch(() => undefined);
    await this.#drop(undefined);
  }

  async #connect(): Promise<void> {
    const client = await connect(this.#settings.url);
    try {
      await ensureVersion(client);
      // The last connection of this worker may be half-open, and PostgreSQL would keep its locks for hours.
      await client.query("select pg_terminate_backend(lock_process_id) from infrasync.worker where id = $1", [
        this.id,
      ]);
      await client.query(
        `insert into infrasync.worker (id, host, process_id, version, lock_process_id)
         values ($1, $2, $3, $4, pg_backend_pid())
         on conflict (id) do update set lock_process_id = pg_backend_pid(), seen_at = now()`,
        [this.id, hostname(), process.pid, this.#settings.version],
      );
      for (const channel of this.#settings.channels) await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error instanceof DatabaseError ? error : unreachable(error);
    }
    client.on("notification", ({ channel, payload = "" }) => this.#settings.onNotice(channel, payload));
    client.once("end", () => void (client === this.#client && this.#drop(undefined)));
    this.#client = client;
    // Queries that wait for a half-open connection wait for ever.
    this.#turns = new PQueue({ concurrency: 1 });
    this.#answered = moment();
  }

  async #beat(): Promise<void> {
    const joined: Joined[] = (this.#joined = []);
    const answer = this.join<{ own: number; alive: number }>(
      `with own as (update infrasync.worker set seen_at = now() where id = $1 returning id),
        silent as (
          delete from infrasync.worker where id <> $1 and seen_at < now() - make_interval(secs => $2)
          returning pg_terminate_backend(lock_process_id)
        )
       select (select count(*) from own)::integer as own, (select count(*) from silent)::integer as ended,
         (select count(*) from infrasync.worker where seen_at >= now() - make_interval(secs => $2))::integer as alive`,
      [this.id, longestSilence],
    );
    this.#wake();
    await this.#settings.clock.sleep(gathering, this.#settings.signal);
    this.#joined = undefined;
    await this.#sendTogether(joined);
    const [counts] = await answer;
    // The others have ended it, or the tables have been restored: it begins anew.
    if (counts?.own !== 1) throw unreachable(undefined);
    const all = this.#held.size + this.#wanted.size;
    const share = Math.ceil(all / Math.max(1, counts?.alive ?? 1));
    // One more than its share may stay, or two workers would pass one source to and fro.
    for (const { stop } of [...this.#held.values()].slice(share + 1))
      stop.abort("another worker has fewer sources");
    await this.#takeFree(share - this.#held.size);
  }

  /** Takes sources that no worker has, with one query. @param most how many */
  async #takeFree(most: number): Promise<void> {
    if (most <= 0 || this.#wanted.size === 0) return;
    const names = [...this.#wanted.keys()].toSorted(() => Math.random() - 0.5);
    // Name by name, and never one more than is wanted: each lock that is taken is in the answer.
    const taken = await this.query<{ name: string }>(
      `with recursive tried (number, name, is_taken, taken) as (
         select 0, null::text, false, 0
         union all
         select number + 1, ($1::text[])[number + 1], next.is_taken, taken + next.is_taken::integer
         from tried cross join lateral (
           select case when taken < $2
             then pg_try_advisory_lock(hashtextextended('infrasync source ' || ($1::text[])[number + 1], 0))
             else false end as is_taken offset 0
         ) as next
         where number < cardinality($1::text[]) and taken < $2
       )
       select name from tried where is_taken`,
      [names, most],
    );
    for (const { name } of taken) {
      const give = this.#wanted.get(name);
      this.#wanted.delete(name);
      if (give) give(this.#hold(name));
      else await this.#unlock(name);
    }
  }

  #hold(name: string): Lease {
    const stop = new AbortController();
    const held: Held = {
      stop,
      lost: stop.signal,
      ensure: async () => {
        if (this.#held.get(name) !== held) throw lost(name);
        if (isWithin(this.#answered, belief)) return;
        await this.#ask();
        if (this.#held.get(name) !== held) throw lost(name);
      },
      query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
        if (this.#held.get(name) !== held) throw lost(name);
        return this.query<Row>(text, values);
      },
      join: async (text, values) => {
        if (this.#held.get(name) !== held) throw lost(name);
        return this.join(text, values);
      },
      nextBeat: () => this.nextBeat(),
      release: async () => {
        if (this.#held.get(name) !== held) return;
        this.#held.delete(name);
        await this.#unlock(name).catch(() => undefined);
      },
    };
    this.#held.set(name, held);
    return held;
  }

  /** Asks the connection of the locks whether it is alive. @throws DatabaseError when it is not, or does not say so in time */
  async #ask(): Promise<void> {
    const asking = (this.#asking ??= this.query("select 1")
      .then(() => undefined)
      .finally(() => void (this.#asking = undefined)));
    asking.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(unreachable(undefined)), promptness);
    });
    await Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  async #unlock(name: string): Promise<void> {
    await this.query("select pg_advisory_unlock(hashtextextended($1, 0))", [`infrasync source ${name}`]);
  }

  /** The connection is dead, and with it all locks. */
  async #drop(reason: unknown): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#answered = never;
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const { stop } of held) stop.abort(reason ?? "the connection of the locks has ended");
    // Not awaited: a half-open connection never ends.
    void client?.end().catch(() => undefined);
  }
}

function lost(name: string): DatabaseError {
  return new DatabaseError(
    `another worker may work on ${name} now, so nothing is sent`,
    "nothing is to do: one of the workers goes on",
  );
}

/** Whether the database has answered, and said no: the connection is alive. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // 57P01 and the like: the server ends the connection.
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("57P") && !code.startsWith("08");
}
