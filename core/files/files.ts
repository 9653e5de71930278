import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, open, realpath, rename, stat, unlink, readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { codeOf } from "../values/error-code.ts";
import { refusal } from "../problems/problem.ts";

/** A path that starts in a folder, as seen from the working directory. */
export function fromFolder(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/** Writes a file under a temporary name, syncs and renames it. @throws InvalidInputError for anything but a file of that name */
export async function writeWhole(file: string, text: string, mode?: number, advice?: string): Promise<void> {
  const old = await statFile(file, advice);
  const target = old ? await realpath(file) : file;
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeNew(temporary, text, mode ?? old?.mode, old);
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw withName(error, file);
  }
}

/** An error of the system that does not say which file it is about, as that of a full disk, with the file. */
function withName(error: unknown, file: string): unknown {
  if (error instanceof Error && "syscall" in error && !("path" in error)) error.message += ` '${file}'`;
  return error;
}

async function writeNew(file: string, text: string, mode?: number, owner?: Stats): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    // Writes on after a part: on a full disk the first write may take some of it and not fail.
    await handle.writeFile(text);
    // Only root may give a file away; anybody else keeps it.
    if (owner) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The text of what has the name of a file and is none. A folder has no text, and a pipe would never end: each form takes it for damage. */
export const notAFile = "it is not a file";

/** The text of the file; undefined when nothing has that name. @throws InvalidInputError when it cannot be read now: it may be intact */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).isFile() ? await readFile(file, "utf8") : notAFile;
  } catch (error) {
    if (codeOf(error) === "ENOENT") {
      const named = await lstat(file).catch(() => undefined);
      if (!named) return undefined;
      // It has come meanwhile. A broken symbolic link is no missing file: its folder may only not be mounted.
      if (!named.isSymbolicLink()) return readIfThere(file);
    }
    const advice = "make it a file that this user can read; nothing is changed before";
    throw refusal("unreadable", `${file} cannot be read: ${String(error)}`, advice);
  }
}

/** Renames a damaged file, so that a new one can take its name, and returns the report of that. */
export async function setAside(file: string, damage: string, unknown: string): Promise<string> {
  const aside = `${file}.damaged-${Date.now()}`;
  const next = await rename(file, aside).then(
    () => `It is now ${aside}: restore it, or delete it`,
    (error: unknown) => `Delete it, because it cannot be renamed: ${String(error)}`,
  );
  return `${file} is damaged: ${damage}. So ${unknown}. ${next}`;
}

/** The status of the file; undefined when nothing has that name. @throws InvalidInputError when it is not a file */
export async function statFile(
  file: string,
  advice = "name a file, or one that does not exist yet",
): Promise<Stats | undefined> {
  if (file === "") throw refusal("argument", "the name of the file to write is empty", advice);
  try {
    const stats = await stat(file);
    if (stats.isFile()) return stats;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    // A broken link is the name of a file that is not mounted, which must not be forgotten.
    if (!(await lstat(file).catch(() => undefined))?.isSymbolicLink()) return undefined;
  }
  throw refusal("unwritable", `${file} is not a regular file, so nothing is written to it`, advice);
}

/** Creates a folder and its parents: Node's recursive `mkdir` never ends in a folder that lets nothing be created, as `/proc`. */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  const above = dirname(folder);
  if (above !== folder && !(await isFolder(above))) await makeFolder(above, mode);
  try {
    await mkdir(folder, mode);
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !(await isFolder(folder))) throw error;
  }
}

/** Creates a private folder, or makes one private. @throws InvalidInputError for a folder of everybody, such as `/tmp` */
export async function makeOwnFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  const { mode } = await stat(folder);
  if ((mode & 0o1002) === 0o1002)
    throw refusal(
      "unwritable",
      `all users can write to the folder ${folder}`,
      "name a folder that belongs to this user alone",
    );
  // A folder of another user, such as a volume that a group owns, has the permissions that its owner wants.
  if ((mode & 0o077) !== 0)
    await chmod(folder, 0o700).catch((error: unknown) => {
      if (codeOf(error) !== "EPERM" && codeOf(error) !== "EROFS") throw error;
    });
}

async function isFolder(name: string): Promise<boolean> {
  try {
    return (await stat(name)).isDirectory();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
