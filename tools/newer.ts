import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Whether a built file is newer than all of its sources. @param sources files, and folders with all contents */
export async function isNewer(built: string, sources: readonly string[]): Promise<boolean> {
  const stats = await stat(built).catch(() => undefined);
  if (!stats) return false;
  const files = await Promise.all(
    sources.map(async (source) =>
      // The time of a folder shows deleted files.
      (await stat(source)).isDirectory() ? [source, ...(await below(source))] : [source],
    ),
  );
  const times = await Promise.all(files.flat().map(async (file) => (await stat(file)).mtimeMs));
  return times.every((time) => time <= stats.mtimeMs);
}

async function below(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).map((name) => path.join(folder, name));
}
