import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { connect, DatabaseError, unreachable } from "./connection.ts";

/** A connection that was proved to be one session of PostgreSQL: its locks and what it listens to belong to it. */
export interface ProvedSession {
  client: Client;
  /** The server process of the session. */
  pid: number;
  /** What only this session has. */
  token: string;
  /** The timeline of the server: each promotion of a copy begins another one. */
  timeline: number;
}

/** What a session says about itself, as columns of a query: `isSame` compares it with what it was. */
export const sessionColumns = "pg_backend_pid() as pid, current_setting('infrasync.session', true) as token";

/** The timeline, as a column of a query. It fails on a copy that only reads. */
const timelineColumn =
  "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline";

/** What `sessionColumns` give. */
export interface SessionRow {
  pid: number;
  token: string | null;
}

/** Whether a query was answered by this session, and by no other. */
export function isSame(
  { pid, token }: Pick<ProvedSession, "pid" | "token">,
  row: SessionRow | undefined,
): boolean {
  return row?.pid === pid && row.token === token;
}

/** The URL is that of a pooler that gives each transaction another session. */
export function pooled(): DatabaseError {
  return new DatabaseError(
    "this is a pooler in transaction mode: two queries of one connection are answered by two sessions of PostgreSQL, so the locks of a worker protect nothing",
    "name the port of PostgreSQL itself, or a pooler in session mode",
  );
}

/**
 * Connects, and proves that the connection is a session: while another connection is in a transaction, this one still has its
 * server process, and the other one does not have it.
 *
 * @throws DatabaseError
 */
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
    const session = { client, token, pid: first.pid, timeline: first.timeline };
    await besideAnother(url, session);
    return session;
  } catch (error) {
    void client.end().catch(() => undefined);
    throw error instanceof DatabaseError ? error : unreachable(error);
  }
}

/** @throws DatabaseError where the session is one only as long as nobody else needs it */
async function besideAnother(url: string, { client, ...session }: ProvedSession): Promise<void> {
  const other = await connect(url);
  try {
    // A pooler that gives each query another session refuses this.
    await other.query("begin").catch((error: unknown) => {
      throw error instanceof Error && error.message.includes("pooling") ? pooled() : error;
    });
    const its = await other.query<SessionRow>(`select ${sessionColumns}`);
    if (its.rows[0]?.pid === session.pid) throw pooled();
    const { rows } = await client.query<SessionRow>(`select ${sessionColumns}`);
    if (!isSame(session, rows[0])) throw pooled();
  } finally {
    void other.end().catch(() => undefined);
  }
}

/**
 * Whether the URL still leads to the server that a session is one of, by a lock that this session holds: after a promotion, it
 * leads to another primary, and the old one may still answer. Gives the timeline where it leads to.
 *
 * @throws DatabaseError where nobody knows
 */
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

/** Whether a row of `pg_locks` is a lock that was granted on a name. @param name an expression */
export function isLock(name: string): string {
  return `(locktype = 'advisory' and granted and objsubid = 1 and (classid::bigint << 32 | objid::bigint) = ${lockKey(name)})`;
}
