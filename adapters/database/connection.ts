import { Client, Pool } from "pg";
import { versionOf, wantedVersion } from "./migrations.ts";

/** The database cannot be used. */
export class DatabaseError extends Error {
  readonly code = "database";
  readonly advice: string;

  constructor(message: string, advice: string, cause?: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}

/** The limit of a connection attempt and of an answer, in milliseconds: less than other workers wait for a silent worker. */
const connectTimeout = 5000;
const answerTimeout = 5000;

const settingsOf = (url: string) => ({
  connectionString: url,
  application_name: "infrasync",
  connectionTimeoutMillis: connectTimeout,
  query_timeout: answerTimeout,
  keepAlive: true,
});

/** Connections that are made when they are needed, for queries that depend on no other. */
export function connections(url: string): Pool {
  const pool = new Pool({ ...settingsOf(url), max: 2, allowExitOnIdle: true });
  // What ends an idle connection concerns nobody.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * Connects. The connection says by itself when it is dead, also where nothing says so: half-open ones are found by the
 * time of the answers.
 *
 * @throws DatabaseError
 */
export async function connect(url: string): Promise<Client> {
  const client = new Client(settingsOf(url));
  // What ends the connection between two queries is found by the next one.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw unreachable(error);
  }
}

/** @param error never quoted as a whole: a URL can be part of it */
export function unreachable(error: unknown): DatabaseError {
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  if (/CERT|VERIFY|ALTNAME/.test(code))
    return new DatabaseError(
      `the certificate of the database is not trusted${code}`,
      "name the authority that has signed it with sslrootcert=FILE in the URL of the database",
      error,
    );
  return new DatabaseError(
    `the database does not answer${code}`,
    "check its URL and the network; nothing is sent to the API until it is back",
    error,
  );
}

/** Refuses a database without the tables that this program needs. One with more is of a later version, which is no harm. @throws DatabaseError */
export async function ensureVersion(client: Client): Promise<void> {
  const version = await versionOf(client);
  if (version >= wantedVersion) return;
  throw new DatabaseError(
    `the database has version ${version} of the tables, and this program needs ${wantedVersion}`,
    "run infrasync reconcile migrate",
  );
}
