import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { settingsFileName } from "../../core/source/files.ts";

/** What the settings file is called by mistake. */
export const misnamedFileName = "infrasync.config.yml";

/** The settings files that sources lead to, each once; where they lead to none, the one of the working directory. */
export async function findSettingsFiles(sources: readonly string[]): Promise<string[]> {
  const named = sources.filter((source) => source !== "-");
  const found = await nearestFiles(await Promise.all(named.map(folderOf)));
  return found.length > 0 ? found : nearestFiles(["."]);
}

async function folderOf(source: string): Promise<string> {
  return (await lookAt(source))?.isDirectory() ? source : dirname(source);
}

async function nearestFiles(folders: readonly string[]): Promise<string[]> {
  const files = await Promise.all(folders.map(nearestFile));
  const byPath = new Map(files.flatMap((file) => (file === undefined ? [] : [[resolve(file), file]])));
  return [...byPath.values()];
}

async function nearestFile(folder: string): Promise<string | undefined> {
  for (const above of await searchPath(folder)) {
    for (const name of [settingsFileName, misnamedFileName]) {
      const file = join(above, name);
      if ((await lookAt(file))?.isFile()) return file;
    }
  }
  return undefined;
}

/** The folder and those above it, up to the root of the git work tree; outside of one, up to the working directory. */
async function searchPath(folder: string): Promise<string[]> {
  const folders: string[] = [];
  for (let here = folder, above; ; here = above) {
    folders.push(here);
    if (await lookAt(join(here, ".git"))) return folders;
    above = await folderAbove(here);
    if (resolve(above) === resolve(here)) break;
  }
  const last = folders.findIndex((here) => resolve(here) === resolve("."));
  return folders.slice(0, Math.max(last, 0) + 1);
}

/** A link counts as the folder that it leads to, as after `cd` into it. */
async function folderAbove(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => resolve(folder));
  return real === resolve(folder) ? join(folder, "..") : dirname(real);
}

const lookAt = (path: string) => stat(path).catch(() => undefined);
