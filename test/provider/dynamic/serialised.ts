import { readFile } from "node:fs/promises";
import path from "node:path";

/** The text of a kind's provider, as in the state of every stack since the first release. */
export async function serialisedProvider(kind: string): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, "serialised.txt"), "utf8");
  return text.replaceAll('"KIND"', `"${kind}"`);
}
