import { hostname } from "node:os";
import { comesWithin, type Clock, systemClock } from "../../core/api/index.ts";
import {
  Connections,
  DatabaseError,
  ensureVersion,
  isRefusal,
  LateAnswerError,
  leadsTo,
  lockKey,
  openSession,
  type DatabasePace,
  paceOf,
  type PlainValue,
  type ProvedSession,
  unreachable,
} from "../../adapters/database/index.ts";
import { endOfWorker, lockOfWorker } from "./lock-names.ts";
import { type Proof, proofColumns, requireProof } from "./proof.ts";

/** A query that is sent together with others. */
export interface BatchedQuery {
  text: string;
  values: readonly PlainValue[];
  resolve(rows: object[] | Promise<object[]>): void;
  reject(error: unknown): void;
}

/** The server with the locks, and the time by which they are believed. */
export interface LockServer {
  open: typeof openSession;
  /** Connections without locks: beside those with locks, so that a late answer costs no source. */
  beside(url: string): Pick<Connections, "query" | "end">;
  leadsTo: typeof leadsTo;
  /** Milliseconds since 1970, which can be set. */
  now(): number;
  /** Milliseconds that stand still while a machine sleeps. */
  counted(): number;
  sleep: Clock["sleep"];
}

/** PostgreSQL, and the clocks of this machine: not those of a service in a test. */
export const postgres: LockServer = {
  open: openSession,
  beside: (url) => new Connections(url),
  leadsTo,
  now: () => Date.now(),
  counted: () => performance.now(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds, signal),
};

export interface WorkerSessionSettings {
  url: string;
  server: LockServer;
  version: string;
  id: string;
  /** The channels on which other workers notify this one. */
  channels: readonly string[];
  onNotice(channel: string, text: string): void;
  /** The names of the locks that this worker believes to hold. */
  locks(): readonly string[];
  /** The session has gone, and with it all locks. */
  onEnd(reason: unknown): void;
}

/** A proof that the locks are there holds for so long with a fast database, in milliseconds. */
export const belief = 1000;
/** The same for the proof that the URL leads to the server with the locks: a new connection each time. */
export const beliefInUrl = 5000;
/** Before a write, a fast database has to answer within this time, in milliseconds; a slow answer costs the worker no source. */
const promptness = 1500;

/** A time by two clocks: one can be set, and the other stands still while a machine sleeps. */
interface Moment {
  set: number;
  counted: number;
}

const never: Moment = { set: -Infinity, counted: -Infinity };

/** The connection of a worker, on which its locks are: nothing of it is believed that was not proved a moment ago. */
export class WorkerSession {
  readonly #settings: WorkerSessionSettings;
  readonly pace: DatabasePace;
  readonly #beside: Pick<Connections, "query" | "end">;
  #session: ProvedSession | undefined;
  /** When the last proof was requested, and when the URL was followed. */
  #proved = never;
  #located = never;
  #asking: Promise<void> | undefined;
  #locating: Promise<void> | undefined;
  /** The newest timeline of PostgreSQL that this worker has seen. */
  #timeline = 0;
  #failure: unknown;
  /** By what the limits are multiplied: never by more than the other workers know. */
  #slowness = 1;

  constructor(settings: WorkerSessionSettings) {
    this.#settings = settings;
    this.pace = paceOf(settings.url);
    this.#beside = settings.server.beside(settings.url);
  }

  /** The session that is there; undefined: none is. */
  get current(): Pick<ProvedSession, "timeline"> | undefined {
    return this.#session;
  }

  /** Connects. @throws DatabaseError */
  async open(): Promise<void> {
    const { url, id, version, channels, onNotice, server } = this.#settings;
    const requested = this.#moment();
    const session = await server.open(url);
    const { timeline } = session;
    let factor = 1;
    try {
      if (timeline < this.#timeline) throw olderPrimary(timeline, this.#timeline);
      await ensureVersion(session);
      ({ factor } = this.pace);
      // One message: with a slow database, the other workers would miss this one before it has said its channels one by one.
      await session.together([
        // The last connection of this worker may be half-open, and PostgreSQL would keep its locks for hours.
        { text: `select ${endOfWorker} from infrasync.worker where id = $1`, values: [id] },
        // It waits for the end of that connection.
        { text: `select pg_advisory_lock(${lockKey("$1::text")})`, values: [lockOfWorker(id)] },
        {
          text: `insert into infrasync.worker (id, host, process_id, version, lock_process_id, slowness)
           values ($1, $2, $3, $4, pg_backend_pid(), $5)
           on conflict (id) do update set lock_process_id = pg_backend_pid(), seen_at = now(), slowness = $5`,
          values: [id, hostname(), process.pid, version, factor],
        },
        ...channels.map((channel) => ({ text: `listen ${channel}`, values: [] })),
      ]);
      const [proof] = await session.query<Proof>(`select ${proofColumns("$1")}`, [this.locks]);
      requireProof(proof, session, channels, this.#settings.locks());
    } catch (error) {
      session.end();
      throw error instanceof DatabaseError ? error : unreachable(error);
    }
    session.onNotice(onNotice);
    session.onEnd(() => void (session === this.#session && this.drop(undefined)));
    this.#session = session;
    this.#timeline = timeline;
    this.#slowness = factor;
    this.#proved = this.#located = requested;
  }

  /** The names of the locks that this worker believes to hold, as JSON. */
  get locks(): string {
    return JSON.stringify(this.#settings.locks());
  }

  /** Runs a query on another connection: it fails when the locks are gone. */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const session = this.#current();
    const rows = await this.#beside.query<Row>(text, values);
    if (session !== this.#session) throw unreachable(undefined);
    return rows;
  }

  /** Runs a query on the connection of the locks. */
  withLocks<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#use((session) => session.query<Row>(text, values));
  }

  async close(): Promise<void> {
    this.drop(undefined);
    await this.#beside.end();
  }

  /** Sends queries as one transaction, which never waits for this process with rows locked. Where PostgreSQL refuses one, each is sent alone. */
  async sendTogether(all: readonly BatchedQuery[]): Promise<void> {
    try {
      const results = await this.#use((session) => session.together(all));
      for (const [index, { resolve }] of all.entries()) resolve(results[index] ?? []);
    } catch (error) {
      if (isRefusal(error) && all.length > 1)
        for (const { text, values, resolve } of all) resolve(this.withLocks(text, values));
      else for (const { reject } of all) reject(error);
    }
  }

  /** Runs a query whose answer has a proof among its columns. @throws DatabaseError where it proves nothing */
  async proving<Row extends Proof>(query: () => Promise<readonly Row[]>): Promise<Row> {
    const session = this.#session;
    const requested = this.#moment();
    const [row] = await query();
    if (!row || !session || session !== this.#session) throw unreachable(this.#failure);
    try {
      requireProof(row, session, this.#settings.channels, this.#settings.locks());
    } catch (error) {
      this.drop(error);
      throw error;
    }
    this.#proved = requested;
    return row;
  }

  /** Tells the other workers how slow the database is: they miss this one later then, and it believes its proofs for longer. */
  async tellingPace<Answer>(tell: (slowness: number) => Promise<Answer>): Promise<Answer> {
    const { factor } = this.pace;
    this.#slowness = Math.min(this.#slowness, factor);
    const answer = await tell(factor);
    this.#slowness = factor;
    return answer;
  }

  /** Resolves when the locks were there within the last moments, on the server to which the URL leads. @throws DatabaseError */
  async ensure(): Promise<void> {
    // An answer that came late proves nothing any more.
    for (let tries = 0; tries < 2 && !this.#isBelieved; tries += 1) {
      if (!this.#isWithin(this.#proved, belief)) await this.#ask();
      if (!this.#isWithin(this.#located, beliefInUrl)) await this.locate();
    }
    if (!this.#isBelieved) throw new LateAnswerError(belief * this.#slowness);
  }

  get #isBelieved(): boolean {
    return this.#isWithin(this.#located, beliefInUrl) && this.#isWithin(this.#proved, belief);
  }

  #moment(): Moment {
    const { now, counted } = this.#settings.server;
    return { set: now(), counted: counted() };
  }

  #isWithin({ set, counted }: Moment, milliseconds: number): boolean {
    const now = this.#moment();
    return Math.max(Math.abs(now.set - set), now.counted - counted) < milliseconds * this.#slowness;
  }

  /** The connection is dead, and with it all locks. */
  drop(reason: unknown): void {
    const session = this.#session;
    this.#session = undefined;
    this.#failure = reason;
    this.#proved = this.#located = never;
    this.#settings.onEnd(reason);
    session?.end();
  }

  #current(): ProvedSession {
    if (this.#session) return this.#session;
    throw this.#failure instanceof DatabaseError ? this.#failure : unreachable(this.#failure);
  }

  async #use<Result>(work: (session: ProvedSession) => Promise<Result>): Promise<Result> {
    const session = this.#current();
    try {
      const result = await work(session);
      if (session !== this.#session) throw unreachable(undefined);
      return result;
    } catch (error) {
      if (session === this.#session && !isRefusal(error) && !(error instanceof LateAnswerError))
        this.drop(error);
      throw isRefusal(error) || error instanceof DatabaseError ? error : unreachable(error);
    }
  }

  /** Has the connection prove that the locks are there. @throws DatabaseError when it does not, or not in time */
  async #ask(): Promise<void> {
    const prove = () => this.withLocks<Proof>(`select ${proofColumns("$1")}`, [this.locks]);
    const asking = (this.#asking ??= this.proving(prove)
      .then(() => undefined)
      .finally(() => void (this.#asking = undefined)));
    asking.catch(() => undefined);
    const limit = promptness * this.pace.factor;
    if (!(await comesWithin(this.#settings.server, limit, asking))) throw new LateAnswerError(limit);
  }

  /** Follows the URL: it has to lead to the server that has the locks. @throws DatabaseError */
  locate(): Promise<void> {
    return (this.#locating ??= this.#follow().finally(() => void (this.#locating = undefined)));
  }

  async #follow(): Promise<void> {
    const session = this.#current();
    const { url, id, server } = this.#settings;
    const requested = this.#moment();
    const { isHere, timeline } = await server.leadsTo(url, session, lockOfWorker(id));
    if (session !== this.#session) throw unreachable(undefined);
    if (!isHere) {
      const error = otherPrimary(session.timeline, timeline);
      this.drop(error);
      throw error;
    }
    this.#located = requested;
  }
}

function otherPrimary(own: number, there: number): DatabaseError {
  if (own === there)
    return new DatabaseError(
      "the connection with the database no longer holds the locks of this worker, or its URL leads to another server; this worker gives up its sources",
      "if this continues, find the cause that ends locks or resets sessions, such as a pooler",
    );
  return new DatabaseError(
    `the URL of the database leads to a server of timeline ${there}, and this worker uses timeline ${own}; this worker gives up its sources`,
    "stop the old primary: two primaries are running",
  );
}

function olderPrimary(there: number, seen: number): DatabaseError {
  return new DatabaseError(
    `the URL of the database leads to an older primary: it has timeline ${there}, and this worker has seen timeline ${seen}`,
    "stop the old primary, and let the URL lead to the new one",
  );
}
