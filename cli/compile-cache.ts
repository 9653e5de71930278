import { join } from "node:path";
import { cacheFolder, ownFolder } from "../core/files/own-folder.ts";

/** The folder for compiled modules, which run as infrasync: only this user may write it. Undefined: nothing is kept. */
export function compileCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  user: number | undefined,
): string | undefined {
  const folder = cacheFolder(env);
  return folder === undefined ? undefined : ownFolder(join(folder, "compiled"), user);
}
