import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { writeWhole } from "../../core/files.ts";
import { ensureWritable } from "../../core/writable.ts";

/**
 * Writes files, and the folders that they need; nothing where one of them cannot be written. A failure on the way
 * leaves the old file.
 *
 * @throws InvalidInputError
 */
export async function writeFiles(files: readonly { name: string; text: string }[]): Promise<void> {
  for (const { name } of files) await ensureWritable(name, true);
  for (const { name, text } of files) {
    await mkdir(dirname(name), { recursive: true });
    await writeWhole(name, text);
  }
}
