import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Whether no file that something is made of is newer than it.
 *
 * @param sources files, and folders with all that is below them
 */
export async function isNewer(built: string, sources: readonly string[]): Promise<boolean> {
  const stats = await stat(built).catch(() => undefined);
  if (!stats) return false;
  const files = await Promise.all(
    sources.map(async (source) =>
      // The time of a folder tells of files that are gone.
      (await stat(source)).isDirectory() ? [source, ...(await below(source))] : [source],
    ),
  );
  const times = await Promise.all(files.flat().map(async (file) => (await stat(file)).mtimeMs));
  return times.every((time) => time <= stats.mtimeMs);
}

async function below(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => path.join(folder, name));
}
