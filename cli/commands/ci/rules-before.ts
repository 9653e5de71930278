import { realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type RulesBefore, rulesBefore } from "../../../core/plan/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { GitError, readFolder, short } from "../../../git/index.ts";
import type { PlanFlags } from "../../flags.ts";
import { SettingsReader } from "../../settings/index.ts";
import { readBase } from "../../support/base.ts";
import { policyOf } from "../../support/wanted.ts";
import type { Console } from "../../terminal/console.ts";
import { fetchCommit, firstParent } from "./git.ts";

/** How many commits are looked at for one without mistakes. */
const mostMistaken = 10;

/** The commits before a change. */
export interface CommitsBefore {
  /** The commit that the change is made to: the base of a pull request, or the first parent of its merge; undefined: the change is the first. */
  parent: string | undefined;
  /** The newest commit of the branch before the push that brought the change, as far as the forge names it. */
  pushedOnto?: string | undefined;
}

/**
 * The rules before a change that the job has checked out: a merge that lifts a rule does nothing that this rule forbids.
 *
 * @param sources the files and folders, or an environment of the settings file
 * @param read the files and folders that were read for them
 * @throws GitError, and InvalidInputError where no commit before can be read
 */
export async function rulesBeforeChange(
  { parent, pushedOnto }: CommitsBefore,
  sources: readonly string[],
  read: readonly string[],
  flags: PlanFlags,
  console: Console,
): Promise<RulesBefore[]> {
  const rules = (commit: string) => rulesOf(commit, sources, read, flags, console);
  async function* states() {
    let commit = parent;
    for (let looked = 1; commit !== undefined; looked += 1) {
      await fetchCommit(commit, console.io, ["--depth=1"]);
      try {
        yield await rules(commit);
        return;
      } catch (error) {
        // A commit with mistakes was never in force: the rules of the one before it are.
        if (!(error instanceof InvalidInputError) || looked === mostMistaken) throw error;
        commit = await firstParent(commit, console.io);
      }
    }
  }
  const before = pushedOnto === undefined || pushedOnto === parent ? undefined : await pushed(pushedOnto);
  return rulesBefore(states(), before);

  /** A commit that the forge does not give any more, after a push by force, is left out, and so is one with mistakes. */
  async function pushed(commit: string): Promise<RulesBefore | undefined> {
    try {
      await fetchCommit(commit, console.io, ["--depth=1"]);
      return await rules(commit);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      if (error instanceof GitError && error.failure === "failed") return undefined;
      throw error;
    }
  }
}

/** The rules of a commit. @throws InvalidInputError with its mistakes */
async function rulesOf(
  commit: string,
  sources: readonly string[],
  [first = "."]: readonly string[],
  flags: PlanFlags,
  console: Console,
): Promise<RulesBefore> {
  const { env, signal } = console.io;
  const { set: _set, ...withoutSet } = flags;
  const resources = await readBase(commit, sources, withoutSet, console.io);
  const source = realpathSync(resolve(first));
  const folder = statSync(source).isDirectory() ? source : dirname(source);
  const { top } = await readFolder(folder, commit, [], { env, signal });
  const places = flags.config === undefined ? settingsFilesAbove(folder, top) : [resolve(flags.config)];
  const { files } = await readFolder(folder, commit, places, { env, signal });
  const [nearest] = files.toSorted((one, other) => other.path.length - one.path.length);
  const { content = new Uint8Array(), path = settingsFileName } = nearest ?? {};
  const reader = await SettingsReader.of(flags, console, content, path);
  const policy = policyOf(flags, reader.stated(), reader.problems);
  if (reader.problems.length > 0) throw new InvalidInputError(reader.problems);
  return { name: `the commit ${short(commit)}`, policy, resources };
}

/** The settings files that a folder could have: in it, and above it up to the top of the repository. */
function settingsFilesAbove(folder: string, top: string): string[] {
  const own = join(folder, settingsFileName);
  return folder === top || dirname(folder) === folder
    ? [own]
    : [own, ...settingsFilesAbove(dirname(folder), top)];
}
