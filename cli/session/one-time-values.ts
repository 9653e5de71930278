import { existsSync, rmSync, constants } from "node:fs";
import type { OneTimeValues } from "../../core/secrets/index.ts";
import type { Console } from "../terminal/console.ts";
import { type FileHandle, open } from "node:fs/promises";
import { refusal } from "../../core/problems/problem.ts";
import { codeOf } from "../../core/values/error-code.ts";

/** Opens the file for values that the API shows once, before any request. Each is a line of JSON, on disk before the run continues. */
export async function openShownValues(
  path: string | undefined,
  console: Pick<Console, "atEnd">,
): Promise<{ shown?: OneTimeValues }> {
  return path === undefined ? {} : { shown: await openFile(path, console) };
}

async function openFile(path: string, console: Pick<Console, "atEnd">): Promise<OneTimeValues> {
  const isNew = !existsSync(path);
  const file = await openOwnFile("--secrets-out", path);
  let isEmpty = true;
  console.atEnd(() => {
    void file.close();
    // A run that has made no token leaves no file that looks as if it had.
    if (isNew && isEmpty) rmSync(path, { force: true });
  });
  let last: Promise<unknown> = Promise.resolve();
  return {
    async keep({ address, id, member, value }) {
      const before = last;
      const writing = (async () => {
        await before;
        isEmpty = false;
        await file.appendFile(`${JSON.stringify({ address, id, [member]: value })}\n`);
        await file.sync();
      })();
      last = writing.catch(() => undefined);
      await writing;
    },
  };
}

/** Reading and writing for the owner alone. */
const ownersOnly = 0o600;

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

// A link could lead to a file that others read, and a pipe could wait for a reader.
const flags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** Opens a file to add secrets: one that only its owner reads, and no link, folder or pipe. */
async function openOwnFile(flag: string, path: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, flags, ownersOnly);
    const status = await file.stat();
    if (!status.isFile()) throw Object.assign(new Error(), { code: "it is not a file" });
    await file.chmod(ownersOnly);
    return file;
  } catch (error) {
    await file?.close();
    throw refusal(
      "unwritable",
      `${flag}: ${path} cannot be written (${codeOf(error) === "ELOOP" ? "it is a link" : (codeOf(error) ?? "unknown")})`,
      "name a file of your own, in a folder that exists",
    );
  }
}
