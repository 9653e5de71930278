import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { EnvironmentVariables } from "../api/index.ts";
import { codeOf } from "../values/error-code.ts";

/** The folder that the environment names for caches of the user; undefined if it names none. */
export function cacheFolder(env: EnvironmentVariables): string | undefined {
  const { XDG_CACHE_HOME: caches, HOME: home } = env;
  const root = caches && isAbsolute(caches) ? caches : home && isAbsolute(home) ? join(home, ".cache") : "";
  return root === "" ? undefined : join(root, "infrasync");
}

/** A folder that only this user can read or write, made if missing; undefined: there can be none. */
export function ownFolder(folder: string, user: number | undefined): string | undefined {
  try {
    // A run as root must not make a folder in which its user could not write later.
    if (!isOf(user, nearestAbove(folder))) return undefined;
    makeBelow(folder);
    const { mode } = lstatSync(folder);
    const isPrivate = user === undefined || (mode & 0o077) === 0;
    return isPrivate && isOf(user, folder) && isOf(user, dirname(folder)) ? folder : undefined;
  } catch {
    // Without the folder, the run works all the same.
    return undefined;
  }
}

/** What runs keep for the user: caches of parts, notes on creations and on actions of a run, templates of other repositories. */
type CacheName = "parts" | "creations" | "runs" | "templates";

/** Where runs keep something: in `chosen`, or among the caches; undefined: nowhere. */
export function cachePath(
  name: CacheName,
  chosen: string | undefined,
  env: EnvironmentVariables,
): string | undefined {
  const caches = chosen === undefined ? cacheFolder(env) : resolve(chosen);
  return caches === undefined ? undefined : join(caches, name);
}

/** The same folder, made if it is missing; undefined where it cannot be of this user alone. */
export function ownCacheFolder(
  name: CacheName,
  chosen: string | undefined,
  env: EnvironmentVariables,
  user: number | undefined,
): string | undefined {
  const folder = madeOwn(cachePath(name, chosen, env), user);
  // A run needs its notes, so these may be among the temporary files.
  return folder ?? (name === "runs" ? madeOwn(temporary(user), user) : undefined);
}

/** A folder among the temporary files, where others may write too. */
function temporary(user: number | undefined): string | undefined {
  const folder = join(tmpdir(), `infrasync-${user ?? "runs"}`);
  try {
    mkdirSync(folder, 0o700);
  } catch {
    // It may be there; whose it is, is looked at next.
  }
  return join(folder, "runs");
}

function madeOwn(folder: string | undefined, user: number | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const own = ownFolder(folder, user);
  if (own !== undefined) return own;
  try {
    // The cache of a CI system may have brought it back with other permissions.
    chmodSync(folder, 0o700);
  } catch {
    return undefined;
  }
  return ownFolder(folder, user);
}

/** Whether it is a folder of that user, and no link, which could lead elsewhere. */
function isOf(user: number | undefined, folder: string): boolean {
  const stats = lstatSync(folder);
  return stats.isDirectory() && (user === undefined || stats.uid === user);
}

/** Makes a folder and those above it. Node's own recursive `mkdir` never ends where nothing can be made, as in `/proc`. */
function makeBelow(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })) return;
  makeBelow(dirname(folder));
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    // Another run was first.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function nearestAbove(folder: string): string {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : nearestAbove(dirname(folder));
}
