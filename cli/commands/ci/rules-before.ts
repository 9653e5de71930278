import { resolve } from "node:path";
import { type RulesBefore, rulesBefore } from "../../../core/plan/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { GitError, readFolder, short } from "../../../git/index.ts";
import type { Forge } from "../../../forge/index.ts";
import type { PlanFlags } from "../../flags.ts";
import { SettingsReader } from "../../settings/index.ts";
import { readBase } from "../../support/base.ts";
import { policyOf } from "../../support/wanted.ts";
import type { Console } from "../../terminal/console.ts";
import { type CommitLimits, filesAbove, folderOf, limitsAt, withLimits } from "./commit-limits.ts";
import { fetchCommit, firstParent } from "./git.ts";
import { type CiFlags, isWholeApply } from "./status-text.ts";

/** How many commits are looked at for one that was applied. */
const mostBefore = 10;

/** The commits before a change. */
export interface CommitsBefore {
  /** The commit that the change is made to: the base of a pull request, or the first parent of its merge; undefined: the change is the first. */
  parent: string | undefined;
  /** The newest commit of the branch before the push that brought the change, as far as the forge names it. */
  pushedOnto?: string | undefined;
  /** Whether the job has applied this commit as a whole. */
  isApplied(commit: string): Promise<boolean>;
}

/** The commits before a change, which a forge knows to be applied. */
export function commitsBefore(
  parent: string | undefined,
  forge: Pick<Forge, "ownStatuses">,
  { name }: Pick<CiFlags, "name">,
  pushedOnto?: string,
): CommitsBefore {
  const isApplied = async (commit: string) => isWholeApply(await forge.ownStatuses(commit), name);
  return { parent, pushedOnto, isApplied };
}

/**
 * The rules before a change that the job has checked out: a merge that lifts a rule does nothing that this rule forbids, and
 * neither does a later one, as long as no apply went through in between.
 *
 * @param sources the files and folders, or an environment of the settings file
 * @param read the files and folders that were read for them
 * @throws GitError, and InvalidInputError where no commit before can be read
 */
export async function rulesBeforeChange(
  { parent, pushedOnto, isApplied }: CommitsBefore,
  sources: readonly string[],
  read: readonly string[],
  flags: PlanFlags,
  console: Console,
): Promise<CiRules[]> {
  const rules = (commit: string) => rulesOf(commit, sources, read, flags, console);
  const states: CiRules[] = [];
  let applied: CiRules | undefined;
  let commit = parent;
  for (let looked = 1; commit !== undefined && looked <= mostBefore && !applied; looked += 1) {
    await fetchCommit(commit, console.io, ["--depth=1"]);
    const next = await firstParent(commit, console.io);
    try {
      const state = await rules(commit);
      states.push(state);
      if (await isApplied(commit)) applied = state;
    } catch (error) {
      // A commit with mistakes was never in force: the rules of the one before it are.
      const isLast = looked === mostBefore && next !== undefined;
      if (!(error instanceof InvalidInputError) || (isLast && states.length === 0)) throw error;
    }
    commit = next;
  }
  const before = pushedOnto === undefined || pushedOnto === parent ? undefined : await pushed(pushedOnto);
  return rulesBefore(states, applied, before);

  /** A commit that the forge does not give any more, after a push by force, is left out, and so is one with mistakes. */
  async function pushed(other: string): Promise<CiRules | undefined> {
    try {
      await fetchCommit(other, console.io, ["--depth=1"]);
      return await rules(other);
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
  read: readonly string[],
  flags: PlanFlags,
  console: Console,
): Promise<CiRules> {
  const { env, signal } = console.io;
  const { set: _set, ...withoutSet } = flags;
  const resources = await readBase(commit, sources, withoutSet, console.io);
  const folder = folderOf(read);
  const { top } = await readFolder(folder, commit, [], { env, signal });
  const places =
    flags.config === undefined ? filesAbove(folder, top, settingsFileName) : [resolve(flags.config)];
  const { files } = await readFolder(folder, commit, places, { env, signal });
  const [nearest] = files.toSorted((one, other) => other.path.length - one.path.length);
  const { content = new Uint8Array(), path = settingsFileName } = nearest ?? {};
  const reader = await SettingsReader.of(flags, console, content, path);
  const policy = policyOf(flags, reader.stated(), reader.problems);
  if (reader.problems.length > 0) throw new InvalidInputError(reader.problems);
  const name = `the commit ${short(commit)}`;
  const limits = await limitsAt(commit, read, name, console.io);
  return { name, policy: withLimits(policy, limits), resources, limits };
}

/** The rules of a commit, with those of its file for the reconciler. */
export interface CiRules extends RulesBefore {
  limits: readonly CommitLimits[];
}
