import {
  DatabaseError,
  isLock,
  isSame,
  pooled,
  type ProvedSession,
  sessionColumns,
  type SessionRow,
} from "../../adapters/database/index.ts";

/** What a session says about itself, its locks and what it listens to. */
export interface Proof extends SessionRow {
  channels: readonly string[];
  /** The locks that were requested, and that it does not hold. */
  missing: readonly string[];
}

/** The columns of a query that give a proof. @param locks an expression: the names of the locks that the session should hold, as JSON */
export function proofColumns(locks: string): string {
  return `${sessionColumns},
    (select coalesce(jsonb_agg(channel), '[]') from pg_listening_channels() as channel) as channels,
    (select coalesce(jsonb_agg(wanted.name), '[]') from jsonb_array_elements_text(${locks}::jsonb) as wanted(name)
      where not exists (select from pg_locks where pid = pg_backend_pid() and ${isLock("wanted.name")})) as missing`;
}

/** @param locks those that the session should hold now @throws DatabaseError for another session, or one that has lost what it had */
export function requireProof(
  proof: Proof | undefined,
  session: ProvedSession,
  channels: readonly string[],
  locks: readonly string[],
): void {
  if (!proof || !isSame(session, proof)) throw pooled();
  const isDeaf = channels.some((channel) => !proof.channels.includes(channel));
  if (!isDeaf && !proof.missing.some((lock) => locks.includes(lock))) return;
  const what = isDeaf ? "listens to the other workers" : "holds the locks of this worker";
  throw new DatabaseError(
    `the connection with the database no longer ${what}, so this worker gives up its sources`,
    "if this continues, find the cause that ends locks or resets sessions, such as a pooler",
  );
}
