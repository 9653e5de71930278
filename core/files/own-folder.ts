import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { EnvironmentVariables } from "../api/index.ts";

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

/** Where runs cache variables, secrets, domains and settings: `chosen`, or a private folder; undefined: nowhere. */
export function partsPath(chosen: string | undefined, env: EnvironmentVariables): string | undefined {
  return pathIn("parts", chosen, env);
}

function pathIn(name: string, chosen: string | undefined, env: EnvironmentVariables): string | undefined {
  const caches = chosen === undefined ? cacheFolder(env) : resolve(chosen);
  return caches === undefined ? undefined : join(caches, name);
}

/** The same folder, made if it is missing; undefined where it cannot be of this user alone. */
export function partsFolder(
  chosen: string | undefined,
  env: EnvironmentVariables,
  user: number | undefined,
): string | undefined {
  return madeOwn(partsPath(chosen, env), user);
}

/** Where runs note the creations that they begin; undefined: there is no private folder. */
export function creationsFolder(
  chosen: string | undefined,
  env: EnvironmentVariables,
  user: number | undefined,
): string | undefined {
  return madeOwn(pathIn("creations", chosen, env), user);
}

/** Where processes of a run note their actions. It is needed, so it may be among the temporary files. */
export function runsFolder(
  chosen: string | undefined,
  env: EnvironmentVariables,
  user: number | undefined,
): string | undefined {
  return madeOwn(pathIn("runs", chosen, env), user) ?? madeOwn(temporary(user), user);
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

/** Where runs keep templates of other repositories; undefined where there can be no folder of this user alone. */
export function templatesFolder(env: EnvironmentVariables, user: number | undefined): string | undefined {
  return madeOwn(pathIn("templates", undefined, env), user);
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
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function nearestAbove(folder: string): string {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(folder) === folder ? folder : nearestAbove(dirname(folder));
}
