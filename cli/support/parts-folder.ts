import { chmodSync } from "node:fs";
import { join, resolve } from "node:path";
import { cacheFolder, ownFolder } from "../../core/own-folder.ts";
import type { Io } from "../terminal/io.ts";

/**
 * Where runs keep what they have read of variables, secrets, domains and settings; undefined: nowhere.
 *
 * @param chosen the folder that the user names
 */
export function partsPath(chosen: string | undefined, env: Io["env"]): string | undefined {
  const caches = chosen === undefined ? cacheFolder(env) : resolve(chosen);
  return caches === undefined ? undefined : join(caches, "parts");
}

/** The same folder, made if it is missing; undefined where it cannot be of this user alone. */
export function partsFolder(
  chosen: string | undefined,
  { env, user }: Pick<Io, "env" | "user">,
): string | undefined {
  const folder = partsPath(chosen, env);
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
