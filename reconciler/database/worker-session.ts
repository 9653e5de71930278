import { hostname } from "node:os";
import PQueue from "p-queue";
import type { QueryResult } from "pg";
import {
  DatabaseError,
  ensureVersion,
  leadsTo,
  lockKey,
  openSession,
  type ProvedSession,
  unreachable,
} from "../../adapters/database/index.ts";
import { endOfWorker, lockOfWorker } from "./lock-names.ts";
import { type Proof, proofColumns, requireProof } from "./proof.ts";

/** A value that can be written into the text of a query. */
export type PlainValue = string | number;

/** A query that is sent together with others. */
export interface BatchedQuery {
  text: string;
  values: readonly PlainValue[];
  resolve(rows: object[] | Promise<object[]>): void;
  reject(error: unknown): void;
}

/** The parts that the session of a worker needs. */
export interface WorkerSessionSettings {
  url: string;
  version: string;
  /** Of the worker. */
  id: string;
  /** The channels on which other workers notify this one. */
  channels: readonly string[];
  onNotice(channel: string, text: string): void;
  /** The names of the locks that this worker believes to hold. */
  locks(): readonly string[];
  /** The session has gone, and with it all locks. */
  onEnd(reason: unknown): void;
}

/** A proof that the locks are there holds for so long, in milliseconds. */
const belief = 1000;
/** The same for the proof that the URL leads to the server with the locks: a new connection each time. */
export const beliefInUrl = 5000;
/** Before a write, the database has to answer within this time, in milliseconds; a slow answer costs the worker no source. */
const promptness = 1500;

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

/** The connection of a worker, on which its locks are: nothing of it is believed that was not proved a moment ago. */
export class WorkerSession {
  readonly #settings: WorkerSessionSettings;
  #session: ProvedSession | undefined;
  /** A connection runs one query at a time. */
  #turns = new PQueue({ concurrency: 1 });
  /** When the last proof was asked for, and when the URL was followed. */
  #proved = never;
  #located = never;
  #asking: Promise<void> | undefined;
  #locating: Promise<void> | undefined;
  /** The newest timeline of PostgreSQL that this worker has seen. */
  #timeline = 0;
  #failure: unknown;

  constructor(settings: WorkerSessionSettings) {
    this.#settings = settings;
  }

  /** The session that is there; undefined: none is. */
  get current(): Pick<ProvedSession, "timeline"> | undefined {
    return this.#session;
  }

  /** Connects. @throws DatabaseError */
  async open(): Promise<void> {
    const { url, id, version, channels, onNotice } = this.#settings;
    const asked = moment();
    const session = await openSession(url);
    const { client, timeline } = session;
    try {
      if (timeline < this.#timeline) throw olderPrimary(timeline, this.#timeline);
      await ensureVersion(client);
      // The last connection of this worker may be half-open, and PostgreSQL would keep its locks for hours.
      await client.query(`select ${endOfWorker} from infrasync.worker where id = $1`, [id]);
      // It waits for the end of that connection.
      await client.query(`select pg_advisory_lock(${lockKey("$1::text")})`, [lockOfWorker(id)]);
      await client.query(
        `insert into infrasync.worker (id, host, process_id, version, lock_process_id)
         values ($1, $2, $3, $4, pg_backend_pid())
         on conflict (id) do update set lock_process_id = pg_backend_pid(), seen_at = now()`,
        [id, hostname(), process.pid, version],
      );
      for (const channel of channels) await client.query(`listen ${channel}`);
      const { rows } = await client.query<Proof>(`select ${proofColumns("$1")}`, [this.locks]);
      requireProof(rows[0], session, channels, this.#settings.locks());
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error instanceof DatabaseError ? error : unreachable(error);
    }
    client.on("notification", ({ channel, payload = "" }) => onNotice(channel, payload));
    client.once("end", () => void (session === this.#session && this.drop(undefined)));
    this.#session = session;
    this.#timeline = timeline;
    // Queries that wait for a half-open connection wait for ever.
    this.#turns = new PQueue({ concurrency: 1 });
    this.#proved = this.#located = asked;
  }

  /** The names of the locks that this worker believes to hold, as JSON. */
  get locks(): string {
    return JSON.stringify(this.#settings.locks());
  }

  /** Runs a query on the connection of the locks: it fails when the locks are gone. */
  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#use(async ({ client }) => (await client.query<Row>(text, [...values])).rows);
  }

  /**
   * Sends queries as one message, which PostgreSQL carries out as one transaction: it never waits for this process with rows
   * locked. Where it refuses one, each is sent again by itself.
   */
  async sendTogether(all: readonly BatchedQuery[]): Promise<void> {
    try {
      const results = await this.#use(async ({ client }) => {
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

  /** Runs a query whose answer has a proof among its columns. @throws DatabaseError where it proves nothing */
  async proving<Row extends Proof>(query: () => Promise<readonly Row[]>): Promise<Row> {
    const session = this.#session;
    const asked = moment();
    const [row] = await query();
    if (!row || !session || session !== this.#session) throw unreachable(this.#failure);
    try {
      requireProof(row, session, this.#settings.channels, this.#settings.locks());
    } catch (error) {
      this.drop(error);
      throw error;
    }
    this.#proved = asked;
    return row;
  }

  /** Resolves when the locks were there within the last moments, on the server to which the URL leads. @throws DatabaseError */
  async ensure(): Promise<void> {
    if (!isWithin(this.#proved, belief)) await this.#ask();
    if (!isWithin(this.#located, beliefInUrl)) await this.#locate();
  }

  /** The connection is dead, and with it all locks. */
  drop(reason: unknown): void {
    const session = this.#session;
    this.#session = undefined;
    this.#failure = reason;
    this.#proved = this.#located = never;
    this.#settings.onEnd(reason);
    // Not awaited: a half-open connection never ends.
    void session?.client.end().catch(() => undefined);
  }

  async #use<Result>(work: (session: ProvedSession) => Promise<Result>): Promise<Result> {
    const session = this.#session;
    if (!session) throw this.#failure instanceof DatabaseError ? this.#failure : unreachable(this.#failure);
    try {
      const result = await this.#turns.add(() => work(session));
      if (session !== this.#session) throw unreachable(undefined);
      return result;
    } catch (error) {
      if (session === this.#session && !isRefusal(error)) this.drop(error);
      throw isRefusal(error) || error instanceof DatabaseError ? error : unreachable(error);
    }
  }

  /** Has the connection prove that the locks are there. @throws DatabaseError when it does not, or not in time */
  async #ask(): Promise<void> {
    const prove = () => this.query<Proof>(`select ${proofColumns("$1")}`, [this.locks]);
    const asking = (this.#asking ??= this.proving(prove)
      .then(() => undefined)
      .finally(() => void (this.#asking = undefined)));
    asking.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(unreachable(undefined)), promptness);
    });
    await Promise.race([asking, late]).finally(() => clearTimeout(timer));
  }

  /** Follows the URL: it has to lead to the server that has the locks. @throws DatabaseError */
  #locate(): Promise<void> {
    return (this.#locating ??= this.#follow().finally(() => void (this.#locating = undefined)));
  }

  async #follow(): Promise<void> {
    const session = this.#session;
    if (!session) throw unreachable(this.#failure);
    const { url, id } = this.#settings;
    const asked = moment();
    const { isHere, timeline } = await leadsTo(url, session, lockOfWorker(id));
    if (session !== this.#session) throw unreachable(undefined);
    if (!isHere) {
      const error = otherPrimary(session.timeline, timeline);
      this.drop(error);
      throw error;
    }
    this.#located = asked;
  }
}

function otherPrimary(own: number, there: number): DatabaseError {
  return new DatabaseError(
    `the URL of the database leads to another server than that of this worker, of timeline ${there} in place of ${own}; this worker gives up its sources`,
    "stop the old primary: two primaries are running",
  );
}

function olderPrimary(there: number, seen: number): DatabaseError {
  return new DatabaseError(
    `the URL of the database leads to an older primary: it has timeline ${there}, and this worker has seen timeline ${seen}`,
    "stop the old primary, and let the URL lead to the new one",
  );
}

/** Whether the database has answered, and said no: the connection is alive. */
function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  // 57P01 and the like: the server ends the connection.
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("57P") && !code.startsWith("08");
}
