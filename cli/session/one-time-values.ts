import { existsSync, rmSync } from "node:fs";
import type { OneTimeValues } from "../../core/secrets/index.ts";
import type { Console } from "../terminal/console.ts";
import { openOwnFile } from "./own-file.ts";

/**
 * Opens the file for values that the API shows once, before any request: a value without a place would be lost. What the
 * file has stays. Each value is a line of JSON, on the disk before the run goes on.
 *
 * @param path undefined if the run has no such file
 * @throws InvalidInputError `unwritable`
 */
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
