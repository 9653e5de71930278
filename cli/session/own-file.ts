import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { InvalidInputError } from "../../core/problems/problem.ts";

/** Reading and writing for the owner alone. */
const ownersOnly = 0o600;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

// A link could lead to a file that others read, and a pipe could wait for a reader.
const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens a file for secrets, to add to it: a file that only its owner reads, and no link, folder or pipe.
 *
 * @param flag the flag that names the file, for the message
 * @throws InvalidInputError `unwritable`
 */
export async function openOwnFile(flag: string, path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, flags, ownersOnly);
    const status = await file.stat();
    if (!status.isFile()) throw Object.assign(new Error(), { code: "it is not a file" });
    await file.chmod(ownersOnly);
    return file;
  } catch (error) {
    await file?.close();
    throw new InvalidInputError([
      {
        code: "unwritable",
        message: `${flag}: ${path} cannot be written (${codeOf(error)})`,
        advice: "name a file of your own, in a folder that exists",
      },
    ]);
  }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return code === "ELOOP" ? "it is a link" : code;
}
