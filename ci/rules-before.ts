import { relative } from "node:path";
import { type RulesBefore, rulesBefore, strictest } from "../core/planning/plan/index.ts";
import { InvalidInputError } from "../core/problems/problem.ts";
import { policyFileName, settingsFileName } from "../core/source/files.ts";
import { GitError, short } from "../adapters/git/index.ts";
import type { Forge } from "../adapters/forge/index.ts";
import type { PlanFlags } from "../cli/flags.ts";
import { SettingsReader } from "../cli/settings/index.ts";
import { policyOf } from "../cli/change/desired-plan.ts";
import type { Console } from "../cli/terminal/console.ts";
import { type CommitLimits, limitsAt, withLimits } from "./commit-limits.ts";
import { contentIds, fetchCommit, firstParent, isOfCommit } from "./git.ts";
import { filesAbove } from "../cli/manifests/base.ts";
import { type Past, readPast } from "./past.ts";
import { appliedAs, type CiFlags } from "./status-text.ts";

/** The most commits with other manifests whose rules are read in the search for an applied one. */
const mostBefore = 10;

/** The most of them in the search for an applied one after the job has refused one. */
const mostRefused = 100;

/** The most commits in the search, with those that do not change the manifests. */
const mostWalked = 200;

export interface CommitsBefore {
  /** The base of a pull request, or the first parent of its merge; undefined: the change is the first commit. */
  parent: string | undefined;
  /** The newest commit of the branch before the push of the change, if the Git host names it. */
  pushedOnto?: string | undefined;
  /** How the job has applied this commit; undefined: it has not tried. */
  appliedAs(commit: string): Promise<"whole" | "refused" | undefined>;
}

/** The commits before a change that a Git host knows to be applied. */
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

export function placesIn({ top, places }: Past): string[] {
  const settings = [settingsFileName, policyFileName];
  const above = places.flatMap((place) => settings.flatMap((name) => filesAbove(place, top, name)));
  return [...new Set([...places, ...above].map((path) => relative(top, path)))];
}

/** The rules before a change: neither the merge that lifts a rule nor a later one does what it forbids, before a successful apply. */
export async function rulesBeforeChange(
  { parent, pushedOnto, appliedAs: stateOf }: CommitsBefore,
  past: Past,
  flags: PlanFlags,
  console: Console,
): Promise<{
  rules: CiRules[];
  /** Whether the applied commit is known, or that there is none: otherwise a rule of an earlier one may be missing. */
  isKnown: boolean;
}> {
  const { io } = console;
  const states: CiRules[] = [];
  let applied: CiRules | undefined;
  let nearest: CiRules | undefined;
  let isRefused = false;
  let commit = parent;
  let content = "";
  let looked = 0;
  for (let walked = 0; commit !== undefined && !applied && walked < mostWalked; walked += 1) {
    await fetchCommit(commit, io, [walked === 0 ? "--depth=1" : `--depth=${mostRefused}`]);
    const its = await contentIds(commit, placesIn(past), io);
    // A commit of other files has the rules of the next one; far back, the job has not run for it either.
    const isSame = its !== "" && its === content;
    content = its;
    if (!isSame) looked += 1;
    if (looked > (isRefused ? mostRefused : mostBefore)) break;
    const isRead = looked <= mostBefore && !isSame;
    const next = await firstParent(commit, io);
    const state = isSame && walked >= mostBefore ? undefined : await stateOf(commit);
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
      const unread = unreadable(commit, error);
      if (state === "whole") applied = unread;
      // A commit that the job has refused, or not applied since an earlier one, was never in force.
      else if (commit === parent && state === undefined) nearest = unread;
    }
    commit = next;
  }
  const before = pushedOnto === undefined || pushedOnto === parent ? undefined : await pushed(pushedOnto);
  const rules = await rulesBefore(states, applied, before);
  return {
    rules: applied || !nearest ? rules : [...rules, nearest],
    isKnown: applied !== undefined || commit === undefined,
  };

  /** Skips a commit that the Git host no longer gives after a forced push, and one with mistakes. */
  async function pushed(other: string): Promise<CiRules | undefined> {
    try {
      await fetchCommit(other, io, ["--depth=1"]);
      return await rulesOf(other, past, true, flags, console);
    } catch (error) {
      if (error instanceof GitError && error.failure === "failed") return undefined;
      return (await stateOf(other)) === "whole" ? unreadable(other, error) : undefined;
    }
  }
}

/** The rules of an unreadable commit: with mistakes, or settings of another version. @throws any other error */
function unreadable(commit: string, error: unknown): CiRules {
  if (!isOfCommit(error)) throw error;
  const caps = { count: Infinity, percent: Infinity };
  return {
    name: `the commit ${short(commit)}`,
    unreadable: error.message,
    policy: { protect: [], policies: [], caps },
    resources: [],
    limits: [],
  };
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
      const policy = policyOf(flags, reader.declared(), reader.problems);
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
