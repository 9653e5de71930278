import { dirname } from "node:path";
import { makeFolder, writeWhole } from "../../core/files/files.ts";
import { ensureWritable } from "../../core/files/writable.ts";

/** Writes files and their folders; if one file is not writable, none. */
export async function writeFiles(files: readonly { name: string; text: string }[]): Promise<void> {
  for (const { name } of files) await ensureWritable(name, true);
  for (const { name, text } of files) {
    await makeFolder(dirname(name));
    await writeWhole(name, text);
  }
}
