import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { writeWhole } from "../../core/files/files.ts";
import type { DumpedDocument } from "../../core/import/live/index.ts";
import type { Update } from "../../core/import/manifest-update/index.ts";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import { escapeControl } from "../../core/values/text.ts";
import { unconfirmed } from "../exit-codes.ts";
import { counted } from "../render/text.ts";
import { ask } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import { manifestFiles, writeFiles } from "./write-files.ts";

/** Asks, if there is somebody to ask, and writes. Returns whether it has written. */
export async function writeUpdate(
  {
    update: { files },
    added,
  }: { update: Pick<Update, "files">; added: readonly { name: string; text: string }[] },
  flags: { dryRun?: boolean; autoApprove?: boolean },
  console: Console,
): Promise<boolean> {
  if (flags.dryRun || files.length + added.length === 0) return false;
  const all = counted(files.length + added.length, "file");
  if (!flags.autoApprove && !(await ask(`Write ${all}?`, console)))
    throw unconfirmed("nothing has been written", console.io.signal);
  await ensureUnchanged(files);
  await writeFiles(added);
  for (const { name, after } of files) await writeWhole(name, after);
  console.note(`${all} written.`);
  return true;
}

/** Somebody may have edited a file while the question was open. @throws InvalidInputError */
async function ensureUnchanged(files: Update["files"]): Promise<void> {
  const problems: Problem[] = [];
  for (const { name, before } of files)
    if ((await readFile(name)).compare(Buffer.from(before)) !== 0)
      problems.push({
        code: "exists",
        message: `${escapeControl(name)} has changed since it was read, so nothing is written`,
        advice: "run the command again",
      });
  if (problems.length > 0) throw new InvalidInputError(problems);
}

/** Files for manifests, beside those of the last source. @throws InvalidInputError where a name is taken */
export async function newFiles(
  sources: readonly string[],
  documents: readonly DumpedDocument[],
): Promise<{ name: string; text: string }[]> {
  const last = sources.findLast((source) => source !== "-") ?? ".";
  const folder = (await stat(last)).isDirectory() ? last : dirname(last);
  const files = manifestFiles(folder, documents);
  const problems: Problem[] = [];
  for (const { name } of files)
    if (await stat(name).catch(() => undefined))
      problems.push({
        code: "exists",
        message: `${escapeControl(name)} exists already, so it cannot get a new manifest`,
        advice: "move its content to another file, or leave out --all",
      });
  if (problems.length > 0) throw new InvalidInputError(problems);
  return files;
}
