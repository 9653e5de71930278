import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Pattern } from "../../../core/pattern.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { readFolder } from "../../../git/index.ts";
import { SettingsReader } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";

/**
 * The patterns that protect in the settings of the base of a change, and no more in those of the change: a merge that
 * lifts a protection deletes nothing that it protected.
 *
 * @param protect the patterns of the change
 * @throws GitError
 */
export async function liftedSince(
  reference: string,
  sources: readonly string[],
  protect: readonly Pattern[],
  console: Console,
): Promise<Pattern[]> {
  const { env, signal } = console.io;
  const first = realpathSync(resolve(sources[0] ?? "."));
  const folder = statSync(first).isDirectory() ? first : dirname(first);
  const { files } = await readFolder(folder, reference, [], { env, signal }).then(({ top }) =>
    readFolder(folder, reference, settingsFilesAbove(folder, top), { env, signal }),
  );
  const [nearest] = files.toSorted((one, other) => other.path.length - one.path.length);
  if (!nearest) return [];
  const reader = await SettingsReader.of({}, console, nearest.content, nearest.path);
  return reader.stated().protect.filter(({ text }) => !protect.some((other) => other.text === text));
}

/** The settings files that a folder could have: in it, and above it up to the top of the repository. */
function settingsFilesAbove(folder: string, top: string): string[] {
  const own = join(folder, settingsFileName);
  return folder === top || dirname(folder) === folder
    ? [own]
    : [own, ...settingsFilesAbove(dirname(folder), top)];
}
