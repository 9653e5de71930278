import { Client, Pool, type QueryResult } from "pg";
import { versionOf, desiredVersion } from "./migrations.ts";
import { paceOf } from "./pace.ts";
import { codeOf } from "../../core/values/error-code.ts";

export class DatabaseError extends Error {
  readonly code = "database";
  readonly advice: string;

  constructor(message: string, advice: string, cause?: unknown) {
    super(message, { cause });
    this.advice = advice;
  }
}

/** An answer that has not come in time: the connection may be alive. */
export class LateAnswerError extends DatabaseError {
  constructor(milliseconds: number) {
    super(
      `the database is too slow: it has not answered within ${(milliseconds / 1000).toFixed(1)} s`,
      "give it more resources, or bring it nearer to the workers; unsent changes are tried again",
    );
  }
}

const settingsOf = (url: string) => ({
  connectionString: url,
  application_name: "infrasync",
  connectionTimeoutMillis: paceOf(url).limit,
  query_timeout: paceOf(url).limit,
  keepAlive: true,
});

/** A value that can be written into the text of a query. */
export type PlainValue = string | number;

/** A query whose values are written into its text. */
export interface PlainQuery {
  text: string;
  values: readonly PlainValue[];
}

/** Sends queries as one message. Unless they say otherwise, PostgreSQL carries them out as one transaction. */
export async function inOneMessage(
  client: Client,
  all: readonly PlainQuery[],
  limit?: number,
): Promise<object[][]> {
  const texts = all.map(({ text, values }) =>
    text.replace(/\$(\d+)/g, (_whole, number) => client.escapeLiteral(String(values[number - 1]))),
  );
  const config = { text: texts.join(";\n"), ...(limit !== undefined && { query_timeout: limit }) };
  const answers: QueryResult<object> | QueryResult<object>[] = await client.query(config);
  return [answers].flat().map(({ rows }) => rows);
}

/** Connections that are made when they are needed, for queries that depend on no other: one that is late holds up no other. */
export class Connections {
  readonly #url: string;
  readonly #pool: Pool;

  constructor(url: string) {
    this.#url = url;
    this.#pool = new Pool({ ...settingsOf(url), max: 4, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
    // The end of an idle connection is harmless.
    this.#pool.on("error", () => undefined);
  }

  /** @throws DatabaseError, or what PostgreSQL has refused the query with */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const limit = paceOf(this.#url).limit;
    this.#pool.options.connectionTimeoutMillis = limit;
    const started = performance.now();
    try {
      const config = { text, values: [...values], query_timeout: limit };
      return (await this.#pool.query<Row>(config)).rows;
    } catch (error) {
      if (isRefusal(error)) throw error;
      throw performance.now() - started < limit ? unreachable(error) : new LateAnswerError(limit);
    }
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }
}

/** Whether the database has answered, and said no: the connection is alive. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  // 57P01 and the like: the server ends the connection.
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("57P") && !code.startsWith("08");
}

/** Connects. A connection notices its death by the limit of answers, even if it is half-open. @throws DatabaseError */
export async function connect(url: string): Promise<Client> {
  const limit = paceOf(url).limit;
  const started = performance.now();
  const client = new Client(settingsOf(url));
  // The next query finds a connection that ended between two queries.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    if (performance.now() - started < limit) throw unreachable(error);
    paceOf(url).late();
    throw new LateAnswerError(limit);
  }
}

/** What a refusal says of the whole database, by its code: message and advice. */
const conditions: Readonly<Record<string, readonly [string, string]>> = {
  "25006": ["the database is read-only", "set its URL to a primary that accepts writes"],
  "28000": ["the database refuses the user", "check the user in its URL, and who may connect"],
  "28P01": ["the database refuses the password", "check the password in its URL"],
  "3D000": ["there is no such database", "check the name in its URL"],
  "42501": ["the user of the database lacks a right", "give it the rights to the schema infrasync"],
  "53100": ["the disk of the database is full", "free space on it"],
  "53200": ["the database is out of memory", "give it more resources"],
  "53300": [
    "the database has no connection left",
    "raise its limit of connections; a worker needs up to ten",
  ],
  "57P03": ["the database is starting, or is shutting down", "read its log"],
};

/** @param error never quoted as a whole: it may contain the URL */
export function unreachable(error: unknown): DatabaseError {
  const state = codeOf(error) ?? "";
  const [what, advice] = conditions[state] ?? [];
  if (what !== undefined)
    return new DatabaseError(what, `${advice}; nothing is sent to the API until it is back`, error);
  const code = state === "" ? "" : ` (${state})`;
  if (/CERT|VERIFY|ALTNAME/.test(code))
    return new DatabaseError(
      `the certificate of the database is not trusted${code}`,
      "name its authority with sslrootcert=FILE in the URL of the database",
      error,
    );
  return new DatabaseError(
    `the database does not answer${code}`,
    "check its URL and the network; nothing is sent to the API until it is back",
    error,
  );
}

/** Refuses a database without the tables of this version. A later version is harmless. @throws DatabaseError */
export async function ensureVersion(session: { query(text: string): Promise<object[]> }): Promise<void> {
  const version = await versionOf((text) => session.query(text));
  if (version >= desiredVersion) return;
  throw new DatabaseError(
    `the database has version ${version} of the tables, and this program needs ${desiredVersion}`,
    "run infrasync reconcile migrate",
  );
}
