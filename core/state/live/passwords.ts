import { type Client, ForbiddenError, NotFoundError } from "../../api/index.ts";
import { isFields, textIn } from "../../values/json.ts";
import { type RevealedPassword, reportedPassword } from "../../redaction/known-credentials.ts";

/** Reads the password that the API tells of a resource; undefined where the token may not read it, or there is none. */
export async function readPassword(client: Client, path: string): Promise<RevealedPassword | undefined> {
  try {
    const answer = await client.get(path);
    return reportedPassword((isFields(answer) ? textIn(answer, "password") : undefined) ?? "");
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}
