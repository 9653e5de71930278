import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Problem } from "../../core/problem.ts";
import { settingsFileName } from "../../core/source/files.ts";

/** A wrong name that people give to the settings file. */
export const misnamedFileName = "infrasync.config.yml";

/** The settings files that sources lead to, each once. */
export interface FoundSettings {
  files: string[];
  /** For sources that are links to files: the settings files of those files. Only their `protect` counts. */
  behindLinks: string[];
  problems: Problem[];
}

/** A settings file, and the reason not to trust it. */
interface FoundFile {
  file: string;
  problem?: Problem;
}

/**
 * Finds the settings files in or above the folders of the sources; if there is none, the one of the working directory.
 *
 * @param owners ids of the users whose files are trusted, like `safe.directory` of git; undefined: all users
 */
export async function findSettingsFiles(
  sources: readonly string[],
  owners: readonly number[] | undefined,
): Promise<FoundSettings> {
  const nearest = (folder: string) => nearestFile(folder, owners);
  const named = sources.filter((source) => source !== "-");
  const bySource = await Promise.all(
    named.map(async (source) => {
      const target = await linkedFile(source);
      const [own, behind] = await Promise.all([
        nearest(await folderOf(source)),
        target === undefined ? undefined : nearest(dirname(target)),
      ]);
      return { own: own ?? behind, behind };
    }),
  );
  const led = bySource.flatMap(({ own }) => own ?? []);
  const here = led.length > 0 ? undefined : await nearest(".");
  const files = once(here ? [here] : led);
  const behindLinks = once(bySource.flatMap(({ behind }) => behind ?? [])).filter(
    ({ file }) => !files.some((other) => resolve(other.file) === resolve(file)),
  );
  return {
    files: files.map(({ file }) => file),
    behindLinks: behindLinks.map(({ file }) => file),
    problems: [...files, ...behindLinks].flatMap(({ problem }) => problem ?? []),
  };
}

async function folderOf(source: string): Promise<string> {
  return (await lookAt(source))?.isDirectory() ? source : dirname(source);
}

/** The target of a source that is a link to a file; otherwise undefined. */
async function linkedFile(source: string): Promise<string | undefined> {
  const [link, target] = [await lstat(source).catch(() => undefined), await lookAt(source)];
  return link?.isSymbolicLink() && target?.isFile() ? realpath(source) : undefined;
}

function once(files: readonly FoundFile[]): FoundFile[] {
  return [...new Map(files.map((found) => [resolve(found.file), found])).values()];
}

async function nearestFile(
  folder: string,
  owners: readonly number[] | undefined,
): Promise<FoundFile | undefined> {
  const { folders, own, git } = await searchPath(folder);
  for (const [index, above] of folders.entries()) {
    for (const name of [settingsFileName, misnamedFileName]) {
      const file = join(above, name);
      if (!(await lookAt(file))?.isFile()) continue;
      // Without a git work tree, files above the working directory are not searched.
      const believed = [above, file, ...(git !== undefined && index >= own ? [git] : [])];
      const problem = await strangerProblem(file, believed, owners);
      return { file, ...(problem && { problem }) };
    }
  }
  return undefined;
}

/**
 * The folder and its parents up to the root of the git work tree; outside a work tree, up to the working directory.
 *
 * @returns `own`: how many of the folders are searched without a work tree; `git`: the path of `.git` in its root
 */
async function searchPath(folder: string): Promise<{ folders: string[]; own: number; git?: string }> {
  const folders: string[] = [];
  const own = () =>
    Math.max(
      folders.findIndex((here) => resolve(here) === resolve(".")),
      0,
    ) + 1;
  for (let here = folder, above; ; here = above) {
    folders.push(here);
    const git = join(here, ".git");
    if (await lookAt(git)) return { folders, own: own(), git };
    above = await folderAbove(here);
    if (resolve(above) === resolve(here)) break;
  }
  return { folders: folders.slice(0, own()), own: own() };
}

/** The problem of a file that belongs to another user, who could choose the settings of this run. */
async function strangerProblem(
  file: string,
  paths: readonly string[],
  owners: readonly number[] | undefined,
): Promise<Problem | undefined> {
  if (!owners) return undefined;
  for (const path of paths) {
    // For a link, both its owner and the owner of its target count.
    for (const stats of [await lstat(path).catch(() => undefined), await lookAt(path)]) {
      if (!stats || owners.includes(stats.uid)) continue;
      return {
        code: "setting",
        message: `${file} is not trusted, because ${path} belongs to another user (id ${stats.uid})`,
        advice: `if you trust the file, choose it with --config ${file}; otherwise choose a file of your own with --config`,
      };
    }
  }
  return undefined;
}

/** The parent folder; for a link to a folder, the parent of its target. */
async function folderAbove(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => resolve(folder));
  return real === resolve(folder) ? join(folder, "..") : dirname(real);
}

const lookAt = (path: string) => stat(path).catch(() => undefined);
