import { systemClock } from "../../core/api/index.ts";
import type { Json } from "../../core/values/json.ts";
import { DatabaseError, ensureVersion, openSession, unreachable } from "../../adapters/database/index.ts";
import { type Identity, identityOfDatabaseUser } from "../identity.ts";
import { RequestRelay, passingChannels } from "./request-relay.ts";

/**
 * Asks the worker that has a source, by way of the database; this process is no worker.
 *
 * @param request is given the user of the connection
 * @returns undefined if no worker answers
 * @throws DatabaseError
 */
export async function askWorker(
  url: string,
  source: string,
  request: (who: Identity) => Json,
): Promise<Json | undefined> {
  // An answer is heard by a session only.
  const { client } = await openSession(url);
  try {
    await ensureVersion(client);
    await client.query(`listen ${passingChannels.answered}`);
    const { rows } = await client.query<{ name: string }>("select session_user::text as name");
    const passing = new RequestRelay({
      leases: {
        has: () => false,
        query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
          (await client.query<Row>(text, [...values])).rows,
      },
      clock: systemClock,
      answer: () => Promise.reject(new Error("internal error: this process has no source")),
    });
    client.on("notification", ({ channel, payload = "" }) => void passing.heard(channel, payload));
    return await passing.ask(source, request(identityOfDatabaseUser(rows[0]?.name ?? "")));
  } catch (error) {
    throw error instanceof DatabaseError ? error : unreachable(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
