import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Problem } from "../../problems/problem.ts";
import { distinctBy } from "../../values/json.ts";
import { isMisnamedSettings, settingsFileName } from "../../source/files.ts";

/** The files and folders whose settings apply to a run. */
export interface SettingsPlaces {
  /** The files and folders of the command; none: the working directory. */
  orders: readonly string[];
  /** Further files and folders: their settings can only forbid. */
  guards?: readonly string[];
  /** Settings files with any name, which can only forbid. */
  guardFiles?: readonly string[];
  /** Names of files in the root of a search, like `.git`; default: without Git, it ends at the working directory. */
  roots?: readonly string[];
}

/** A settings file, and the reason not to trust it. */
interface FoundFile {
  file: string;
  problem?: Problem | undefined;
}

/** Finds the settings files around the places, or the working directory; `owners`: the users whose files are trusted. */
export function findSettingsFiles(
  { orders, guards = [], guardFiles = [], roots = [] }: SettingsPlaces,
  owners: readonly number[] | undefined,
): {
  files: string[];
  /** Settings files that can only forbid: those of `guards`, and those beside the targets of links to files. */
  guards: string[];
  problems: Problem[];
} {
  const nearest = (folder: string) => nearestFile(folder, owners, roots);
  const named = orders.filter((source) => source !== "-");
  const bySource = named.map((source) => {
    const target = linkedFile(source);
    const behind = target === undefined ? undefined : nearest(dirname(target));
    return { own: nearest(folderOf(source)) ?? behind, behind };
  });
  const pathOf = ({ file }: FoundFile) => resolve(file);
  const led = bySource.flatMap(({ own }) => own ?? []);
  const here = led.length > 0 ? undefined : nearest(".");
  const files = distinctBy(pathOf, here ? [here] : led);
  const forbidding = distinctBy(pathOf, [
    ...bySource.flatMap(({ behind }) => behind ?? []),
    ...guards.flatMap((guard) => nearest(folderOf(guard)) ?? nearest(".") ?? []),
    ...guardFiles.map((file) => foundFile(file, [dirname(file)], owners)),
  ]).filter(({ file }) => !files.some((other) => pathOf(other) === resolve(file)));
  return {
    files: files.map(({ file }) => file),
    guards: forbidding.map(({ file }) => file),
    problems: [...files, ...forbidding].flatMap(({ problem }) => problem ?? []),
  };
}

function folderOf(source: string): string {
  return read(source)?.isDirectory() ? source : dirname(source);
}

/** Undefined: the source is no link to a file. */
function linkedFile(source: string): string | undefined {
  return read(source, lstatSync)?.isSymbolicLink() && read(source)?.isFile()
    ? realpathSync(source)
    : undefined;
}

function nearestFile(
  folder: string,
  owners: readonly number[] | undefined,
  roots: readonly string[],
): FoundFile | undefined {
  const { folders, own, git } = searchPath(folder, roots);
  for (const [index, above] of folders.entries()) {
    // A misnamed file beside the right one would also be ignored without notice.
    for (const name of [...namesIn(above).filter(isMisnamedSettings), settingsFileName]) {
      const file = join(above, name);
      if (!read(file)?.isFile()) continue;
      // Without a Git work tree, files above the working directory are not searched.
      return foundFile(file, [above, ...(git !== undefined && index >= own ? [git] : [])], owners);
    }
  }
  return undefined;
}

/** The names in a folder; none if it does not exist or is invisible to this user. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A file, with a problem if it or a folder around it is another user's, who could choose the settings of this run. */
function foundFile(
  file: string,
  around: readonly string[],
  owners: readonly number[] | undefined,
): FoundFile {
  for (const path of owners ? [...around, file] : []) {
    // For a link, both its owner and the owner of its target count.
    for (const stats of [read(path, lstatSync), read(path)]) {
      if (!stats || owners?.includes(stats.uid)) continue;
      const message = `${file} is not trusted, because ${path} belongs to another user (id ${stats.uid})`;
      const remedies = [{ setting: "settings_file", value: file }] as const;
      return { file, problem: { code: "setting", message, remedies } };
    }
  }
  return { file };
}

/** The last folder of a search for a settings file, from a folder up. */
export function lastSearched(folder: string, roots: readonly string[]): string {
  return resolve(searchPath(folder, roots).folders.at(-1) ?? folder);
}

/** The folder and its parents up to the Git work tree's root; `own`: how many are searched without a work tree. */
function searchPath(
  folder: string,
  roots: readonly string[],
): { folders: string[]; own: number; git?: string } {
  const folders: string[] = [];
  let root = 0;
  const own = () =>
    Math.max(
      folders.findIndex((here) => resolve(here) === resolve(".")),
      0,
    ) + 1;
  for (let here = folder, above; ; here = above) {
    folders.push(here);
    if (root === 0 && roots.some((name) => read(join(here, name)))) root = folders.length;
    const git = join(here, ".git");
    if (read(git)) return { folders, own: own(), git };
    above = folderAbove(here);
    if (resolve(above) === resolve(here)) break;
  }
  return { folders: folders.slice(0, Math.max(own(), root)), own: own() };
}

/** The parent folder; for a link to a folder, the parent of its target. */
function folderAbove(folder: string): string {
  let real = resolve(folder);
  try {
    real = realpathSync(folder);
  } catch {
    // It does not exist, or is invisible to this user.
  }
  return real === resolve(folder) ? join(folder, "..") : dirname(real);
}

/** Undefined: it does not exist, or is invisible to this user. */
function read(path: string, refresh: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return refresh(path);
  } catch {
    return undefined;
  }
}
