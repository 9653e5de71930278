import { systemClock } from "../../core/api/index.ts";
import type { Json } from "../../core/values/json.ts";
import { DatabaseError, ensureVersion, openSession, unreachable } from "../../adapters/database/index.ts";
import { type Identity, identityOfDatabaseUser } from "../identity.ts";
import { RequestRelay, passingChannels } from "./request-relay.ts";

/** Asks the worker that has a source, from a process that is no worker; undefined: none answers. @throws DatabaseError */
export async function askWorker(
  url: string,
  source: string,
  request: (who: Identity) => Json,
): Promise<Json | undefined> {
  // An answer is heard by a session only.
  const session = await openSession(url);
  try {
    await ensureVersion(session);
    await session.query(`listen ${passingChannels.answered}`);
    const [user] = await session.query<{ name: string }>("select session_user::text as name");
    const passing = new RequestRelay({
      leases: { has: () => false, query: (text, values) => session.query(text, values) },
      clock: systemClock,
      answer: () => Promise.reject(new Error("internal error: this process has no source")),
    });
    session.onNotice((channel, text) => void passing.heard(channel, text));
    return await passing.ask(source, request(identityOfDatabaseUser(user?.name ?? "")));
  } catch (error) {
    throw error instanceof DatabaseError ? error : unreachable(error);
  } finally {
    session.end();
  }
}
