import { join } from "node:path";
import { cacheFolder, ownFolder } from "../core/files/own-folder.ts";

/**
 * The folder in which Node may keep compiled modules: one of this user, which nobody else can write. What is in it runs as a
 * part of infrasync, so the folder that Node itself would take, in the temporary directory, is not enough: whoever makes it
 * first owns it.
 *
 * @param user the effective id of the user; undefined on systems without such ids, where a profile is its user's alone
 * @returns undefined where there is no such folder: then nothing is kept
 */
export function compileCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  user: number | undefined,
): string | undefined {
  const folder = cacheFolder(env);
  return folder === undefined ? undefined : ownFolder(join(folder, "compiled"), user);
}
