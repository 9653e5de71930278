import { type RulesBefore, rulesBefore, strictest } from "../../../core/plan/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { settingsFileName } from "../../../core/source/files.ts";
import { GitError, short } from "../../../adapters/git/index.ts";
import type { Forge } from "../../../adapters/forge/index.ts";
import type { PlanFlags } from "../../flags.ts";
import { SettingsReader } from "../../settings/index.ts";
import { policyOf } from "../../support/wanted.ts";
import type { Console } from "../../terminal/console.ts";
import { type CommitLimits, limitsAt, withLimits } from "./commit-limits.ts";
import { fetchCommit, firstParent } from "./git.ts";
import { type Past, readPast } from "./past.ts";
import { appliedAs, type CiFlags } from "./status-text.ts";

/** Of how many commits the rules are read, to find one that was applied. */
const mostBefore = 10;

/** How many commits are looked at for one that was applied, where the job has refused one of those that were read. */
const mostRefused = 100;

/** The commits before a change. */
export interface CommitsBefore {
  /** The commit that the change is made to: the base of a pull request, or the first parent of its merge; undefined: the change is the first. */
  parent: string | undefined;
  /** The newest commit of the branch before the push that brought the change, as far as the forge names it. */
  pushedOnto?: string | undefined;
  /** How the job has applied this commit; undefined: it has not tried. */
  appliedAs(commit: string): Promise<"whole" | "refused" | undefined>;
}

/** The commits before a change, which a forge knows to be applied. */
export function commitsBefore(
  parent: string | undefined,
  forge: Pick<Forge, "ownStatuses">,
  { name }: Pick<CiFlags, "name">,
  pushedOnto?: string,
): CommitsBefore {
  return {
    parent,
    pushedOnto,
    appliedAs: async (commit) => appliedAs(await forge.ownStatuses(commit), name),
  };
}

/**
 * The rules before a change that the job has checked out: a merge that lifts a rule does nothing that this rule forbids, and
 * neither does a later one, as long as no apply went through in between.
 *
 * @throws GitError, and InvalidInputError where no commit before can be read
 */
export async function rulesBeforeChange(
  { parent, pushedOnto, appliedAs: stateOf }: CommitsBefore,
  past: Past,
  flags: PlanFlags,
  console: Console,
): Promise<CiRules[]> {
  const { io } = console;
  const states: CiRules[] = [];
  let applied: CiRules | undefined;
  let isRefused = false;
  let commit = parent;
  for (let looked = 1; commit !== undefined && !applied; looked += 1) {
    const isRead = looked <= mostBefore;
    if (looked > (isRefused ? mostRefused : mostBefore)) break;
    await fetchCommit(commit, io, [isRead ? "--depth=1" : `--depth=${mostRefused}`]);
    const next = await firstParent(commit, io);
    const state = await stateOf(commit);
    isRefused ||= state === "refused";
    try {
      const isWhole = state === "whole";
      const rules =
        isRead || isWhole
          ? await rulesOf(commit, past, isWhole || states.length === 0, flags, console)
          : undefined;
      if (rules) states.push(rules);
      if (isWhole) applied = rules;
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
      await fetchCommit(other, io, ["--depth=1"]);
      return await rulesOf(other, past, true, flags, console);
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      if (error instanceof GitError && error.failure === "failed") return undefined;
      throw error;
    }
  }
}

/** The rules of a commit. @param isNext as in `readPast` @throws InvalidInputError with its mistakes */
async function rulesOf(
  commit: string,
  past: Past,
  isNext: boolean,
  flags: PlanFlags,
  console: Console,
): Promise<CiRules> {
  const { resources, settings } = await readPast(commit, past, isNext, flags, console.io);
  const files = settings.length > 0 ? settings : [{ path: settingsFileName, content: new Uint8Array() }];
  const policies = await Promise.all(
    files.map(async ({ path, content }) => {
      const reader = await SettingsReader.of(flags, console, content, path);
      const policy = policyOf(flags, reader.stated(), reader.problems);
      if (reader.problems.length > 0) throw new InvalidInputError(reader.problems);
      return policy;
    }),
  );
  const name = `the commit ${short(commit)}`;
  const limits = await limitsAt(commit, past, name, console.io);
  return { name, policy: withLimits(strictest(policies), limits), resources, limits };
}

/** The rules of a commit, with those of its file for the reconciler. */
export interface CiRules extends RulesBefore {
  limits: readonly CommitLimits[];
}
