import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Pattern } from "../../../core/pattern.ts";
import type { PlanPolicy } from "../../../core/policies/index.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { readFolder } from "../../../git/index.ts";
import { SettingsReader } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";

/** The limits in the settings of the base of a change. */
interface Forbidding {
  /** The patterns that the settings of the change do not have any more. */
  lifted: Pattern[];
  policies: readonly PlanPolicy[];
}

/**
 * The problems of a plan by the settings of the base of a change: a merge that lifts a protection deletes nothing that
 * it protected, and one that takes a policy out does not break it.
 *
 * @param protect the patterns of the change
 * @throws GitError
 */
export async function forbiddenBefore(
  reference: string,
  sources: readonly string[],
  protect: readonly Pattern[],
  console: Console,
): Promise<Forbidding> {
  const { env, signal } = console.io;
  const first = realpathSync(resolve(sources[0] ?? "."));
  const folder = statSync(first).isDirectory() ? first : dirname(first);
  const { files } = await readFolder(folder, reference, [], { env, signal }).then(({ top }) =>
    readFolder(folder, reference, settingsFilesAbove(folder, top), { env, signal }),
  );
  const [nearest] = files.toSorted((one, other) => other.path.length - one.path.length);
  if (!nearest) return { lifted: [], policies: [] };
  const reader = await SettingsReader.of({}, console, nearest.content, nearest.path);
  const { policies, ...stated } = reader.stated();
  const lifted = stated.protect.filter(({ text }) => !protect.some((other) => other.text === text));
  return { lifted, policies };
}

/** The settings files that a folder could have: in it, and above it up to the top of the repository. */
function settingsFilesAbove(folder: string, top: string): string[] {
  const own = join(folder, settingsFileName);
  return folder === top || dirname(folder) === folder
    ? [own]
    : [own, ...settingsFilesAbove(dirname(folder), top)];
}
