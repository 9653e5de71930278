import { readFile } from "node:fs/promises";
import { secretTexts } from "../../core/redaction/credentials.ts";
import type { Console } from "../terminal/console.ts";

type Reader = Pick<Console, "hide"> & { io: Pick<Console["io"], "env"> };

/** A credential of the operator, which no output shows: the variable, or the file of its `_FILE` variable, read each time. */
export async function readSecretText(name: string, console: Reader): Promise<string | undefined> {
  const { env } = console.io;
  const file = env[`${name}_FILE`];
  return env[name]?.trim() || (file ? readSecretFile(file, console) : undefined);
}

/** The content of a file with a credential, which no output shows from then on; undefined if the file is empty or unreadable. */
export async function readSecretFile(file: string, console: Reader): Promise<string | undefined> {
  const text = (await readFile(file, "utf8").catch(() => "")).trim();
  for (const secret of secretTexts(text)) console.hide(secret);
  return text || undefined;
}
