import { readFile } from "node:fs/promises";
import type { Io } from "../terminal/io.ts";

/**
 * A secret of the operator: the value of a variable, or the content of the file that the variable with `_FILE` names, which
 * is read anew each time. Undefined if there is none, or the file cannot be read.
 *
 * @param name `INFRASYNC_WEBHOOK_SECRET`
 */
export async function readSecretText(name: string, { env }: Pick<Io, "env">): Promise<string | undefined> {
  const file = env[`${name}_FILE`];
  return env[name]?.trim() || (file ? readSecretFile(file) : undefined);
}

/** The content of a file with a secret; undefined if the file is empty or unreadable. */
export async function readSecretFile(file: string): Promise<string | undefined> {
  return (await readFile(file, "utf8").catch(() => "")).trim() || undefined;
}
