import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import type { Client } from "pg";
import {
  connect,
  DatabaseError,
  inOneMessage,
  LateAnswerError,
  type PlainQuery,
  unreachable,
} from "./connection.ts";
import { paceOf } from "./pace.ts";

/** A connection that was proved to be one session of PostgreSQL, with its own locks and notifications. */
export interface ProvedSession {
  /** The server process of the session. */
  pid: number;
  /** A value of only this session. */
  token: string;
  /** The timeline of the server, which changes with each promotion of a copy. */
  timeline: number;
  /** Runs a query, one at a time. An answer that comes too late fails this query, and no other one. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Sends queries as one message, which PostgreSQL carries out as one transaction. */
  together(all: readonly PlainQuery[]): Promise<object[][]>;
  onNotice(listener: (channel: string, text: string) => void): void;
  onEnd(listener: () => void): void;
  /** Does not wait: a half-open connection never ends. */
  end(): void;
}

/** The longest timer of Node: whether an answer is late is seen here. */
const unlimited = 2 ** 31 - 1;

/** A connection that runs one query at a time, and stays when an answer is late: the next query waits for it. */
class Session implements ProvedSession {
  readonly pid: number;
  readonly token: string;
  readonly timeline: number;
  readonly #client: Client;
  readonly #url: string;
  readonly #turns = new PQueue({ concurrency: 1 });
  /** Whether an answer is late: what waits behind it has its limit from then on, or a dead connection would never be noticed. */
  #isLate = false;
  /** Ends the wait of each query. */
  readonly #waiting = new Set<(error: DatabaseError) => void>();

  constructor(client: Client, url: string, { pid, token, timeline }: SessionRow & { timeline: number }) {
    this.#client = client;
    this.#url = url;
    this.pid = pid;
    this.token = token ?? "";
    this.timeline = timeline;
    client.once("end", () => this.end());
  }

  query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const config = { text, values: [...values], query_timeout: unlimited };
    return this.#inTurn(async () => (await this.#client.query<Row>(config)).rows);
  }

  together(all: readonly PlainQuery[]): Promise<object[][]> {
    return this.#inTurn(() => inOneMessage(this.#client, all, unlimited));
  }

  onNotice(listener: (channel: string, text: string) => void): void {
    this.#client.on("notification", ({ channel, payload = "" }) => listener(channel, payload));
  }

  onEnd(listener: () => void): void {
    this.#client.once("end", listener);
  }

  end(): void {
    for (const giveUp of this.#waiting) giveUp(unreachable(undefined));
    this.#waiting.clear();
    void this.#client.end().catch(() => undefined);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      const pace = paceOf(this.#url);
      const start = () => {
        const { limit } = pace;
        return setTimeout(() => {
          this.#isLate = true;
          pace.late();
          reject(new LateAnswerError(limit));
        }, limit);
      };
      const early = this.#isLate ? start() : undefined;
      const run = async () => {
        const timer = early ?? start();
        if (!this.#waiting.has(reject)) return clearTimeout(timer);
        const sent = performance.now();
        // Before the answer is given: whoever gets it asks how slow the database is.
        await work()
          .finally(() => {
            this.#isLate = false;
            pace.took(performance.now() - sent);
          })
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
        this.#waiting.delete(reject);
      };
      void this.#turns.add(run);
    });
  }
}

/** The identity of a session, as columns of a query: `isSame` compares it. */
export const sessionColumns = "pg_backend_pid() as pid, current_setting('infrasync.session', true) as token";

/** The timeline, as a column of a query. It fails on a read-only copy. */
const timelineColumn =
  "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline";

/** The row of `sessionColumns`. */
export interface SessionRow {
  pid: number;
  token: string | null;
}

/** Whether this session has answered a query. */
export function isSame(
  { pid, token }: Pick<ProvedSession, "pid" | "token">,
  row: SessionRow | undefined,
): boolean {
  return row?.pid === pid && row.token === token;
}

/** The URL is that of a pooler that gives each transaction another session. */
export function pooled(): DatabaseError {
  return new DatabaseError(
    "this is a pooler in transaction mode: two queries of one connection are answered by two sessions of PostgreSQL, so locks of a worker have no effect",
    "name the port of PostgreSQL itself, or a pooler in session mode",
  );
}

/** Connects, and proves that the connection is a session: it keeps its server process while another one is in a transaction. */
export async function openSession(url: string): Promise<ProvedSession> {
  const client = await connect(url);
  try {
    const token = randomUUID();
    const { rows } = await client.query<SessionRow & { timeline: number }>(
      `select pg_backend_pid() as pid, set_config('infrasync.session', $1, false) as token, ${timelineColumn}`,
      [token],
    );
    const [first] = rows;
    if (!first) throw unreachable(undefined);
    const session = new Session(client, url, first);
    await besideAnother(url, session);
    return session;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error instanceof DatabaseError ? error : unreachable(error);
  }
}

/** @throws DatabaseError where the session lasts only until another connection needs it */
async function besideAnother(url: string, session: ProvedSession): Promise<void> {
  const other = await connect(url);
  try {
    // A pooler that gives each query another session refuses this.
    await other.query("begin").catch((error: unknown) => {
      throw error instanceof Error && error.message.includes("pooling") ? pooled() : error;
    });
    const its = await other.query<SessionRow>(`select ${sessionColumns}`);
    if (its.rows[0]?.pid === session.pid) throw pooled();
    const [row] = await session.query<SessionRow>(`select ${sessionColumns}`);
    if (!isSame(session, row)) throw pooled();
  } finally {
    void other.end().catch(() => undefined);
  }
}

/** The timeline of the server at the URL, by a lock of this session: after a promotion, the old primary may still answer. */
export async function leadsTo(
  url: string,
  { pid }: Pick<ProvedSession, "pid">,
  lockName: string,
): Promise<{ isHere: boolean; timeline: number }> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ pid: number; is_here: boolean; timeline: number }>(
      `select pg_backend_pid() as pid, ${timelineColumn},
         exists (select from pg_locks where pid = $1 and ${isLock("$2::text")}) as is_here`,
      [pid, lockName],
    );
    const [row] = rows;
    if (!row) throw unreachable(undefined);
    if (row.pid === pid) throw pooled();
    return { isHere: row.is_here, timeline: row.timeline };
  } catch (error) {
    throw error instanceof DatabaseError ? error : unreachable(error);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** The key of the lock of a name. @param name an expression */
export function lockKey(name: string): string {
  return `hashtextextended(${name}, 0)`;
}

/** Whether a row of `pg_locks` is a granted lock on a name. @param name an expression */
export function isLock(name: string): string {
  return `(locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${lockKey(name)})`;
}
