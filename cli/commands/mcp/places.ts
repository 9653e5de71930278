import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { isInside, isManifest } from "../../../core/source/files.ts";

/**
 * Why a source that an assistant names is not read; undefined if it may be. What a live resource or a file says may lead an
 * assistant to ask for any file of the user, and a mistake in a file is shown with its line: only manifests inside the folder in
 * which the server was started are read. Links in a folder that lead out of it are mistakes for every command.
 *
 * @param source a file, a folder, or the name of an environment of the settings file
 */
export async function refusalOfSource(source: string, folder: string): Promise<string | undefined> {
  const outside = `${source} is not inside the folder in which the server was started; name manifests in it`;
  if (source.startsWith("~")) return outside;
  const root = await realpath(folder);
  const named = resolve(root, source);
  const found = await stat(named).catch(() => undefined);
  // What is not there is read by nobody; the command says so, or knows an environment of that name.
  if (!found) return isAbsolute(source) || source.split(/[/\\]/).includes("..") ? outside : undefined;
  if (!isInside(await realpath(named), root)) return outside;
  if (found.isDirectory() || (found.isFile() && isManifest(named))) return undefined;
  return `${source} is no manifest: neither a folder nor a file whose name ends with .yaml or .yml`;
}
