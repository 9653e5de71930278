import { systemClock } from "../core/api/index.ts";
import { type DesiredResource, hideSecrets } from "../core/manifests/manifest/index.ts";
import { isDeclaredIn, type Policy, withRulesBefore } from "../core/planning/plan/index.ts";
import { comparePlans, propose } from "../core/execution/session/index.ts";
import { forges } from "../adapters/forge/index.ts";
import { readBase } from "../cli/manifests/base.ts";
import { readInputs } from "../cli/change/inputs.ts";
import { secretSourcesOfCommits } from "../cli/repository/repository.ts";
import { withSession } from "../cli/session/session.ts";
import { type PreparedProposal, proposeDesired } from "../cli/change/desired-plan.ts";
import type { PlanFlags, SourceFlags } from "../cli/flags.ts";
import type { PlanComparison } from "../cli/render/plan-comparison.ts";
import type { Settings } from "../cli/settings/index.ts";
import type { Console } from "../cli/terminal/console.ts";
import type { CiFlags } from "./status-text.ts";
import { limitsAt, withLimits, withSuspensions } from "./commit-limits.ts";
import { unversioned, fetchCommit, firstParent, isOfCommit } from "./git.ts";
import { pastOf } from "./past.ts";
import { refusal } from "../core/problems/problem.ts";
import { type CiRules, type CommitsBefore, rulesBeforeChange } from "./rules-before.ts";
import { isObjectId, short } from "../adapters/git/index.ts";

/** A plan of the job's checkout. */
export interface PlannedCheckout extends PreparedProposal {
  settings: Settings;
  /** Undefined: it was not compared. */
  comparison: PlanComparison | undefined;
  /** Plans other manifests in the same way, from the same reading of live resources. */
  again(resources: readonly DesiredResource[]): Promise<PreparedProposal>;
}

/** Whether a job sets this variable: manifests must not read its tokens as secrets. */
function isOfTheJob(name: string): boolean {
  return forges.some(({ jobVariables }) => jobVariables.some((start) => name.startsWith(start)));
}

/** A policy by which a prune spares resources that no readable commit declares: an earlier one may protect them. */
function withoutUnknown(
  policy: Policy,
  rules: readonly CiRules[],
  unknown: string,
  console: Console,
): Policy {
  if (policy.prune) console.note(`Note: ${unknown}, so it prunes no resource that none of them declares.`);
  return {
    ...policy,
    spares: (address) => !rules.some(({ resources }) => isDeclaredIn(resources, [address])),
  };
}

/** Plans the job's checkout or `given.tree`, by the rules of the commits `before` and its own. */
export async function planDesired(
  sources: readonly string[],
  flags: CiFlags & PlanFlags,
  console: Console,
  before: CommitsBefore,
  { base, tree }: { base?: { reference: string; name: string } | undefined; tree?: string | undefined } = {},
): Promise<PlannedCheckout> {
  // Documents of a change hide nothing before the operator's rules limit their reads: they could hide words of the
  // plan.
  const io = { ...console.io, hidden: undefined };
  const { settings, ...inputs } = await readInputs(sources, flags, console, { io });
  const { set: _set, ...withoutSet } = flags;
  const other = base && (await readComparison(base, sources, withoutSet, console));
  const resources = tree === undefined ? inputs.resources : await readBase(tree, sources, flags, io);
  const past = await pastOf(sources, flags, io);
  const { rules, isKnown } = await rulesBeforeChange(before, past, flags, console);
  const files = inputs.documents.map(({ position }) => position([]).file);
  const [generated, ...more] = await unversioned(files, past.top, io);
  if (generated !== undefined && tree !== undefined)
    throw refusal(
      "argument",
      `the merge cannot be planned, because git does not have ${generated}: a step of the job created them`,
      "merge the base into the branch, or rebase it, and push",
    );
  const unknown =
    generated === undefined
      ? "this job has applied none of the commits before that were read"
      : `git does not have ${generated}${more.length > 0 ? ` and ${more.length} more` : ""}, so the earlier protection is unknown`;
  const own = await limitsAt("HEAD", past, "this change", console.io);
  const limits = [...own, ...rules.flatMap((each) => (each.isOlder ? [] : each.limits))];
  const strictest = withRulesBefore(withLimits(inputs.policy, own), rules);
  const { clock = systemClock } = console.io;
  const suspending = withSuspensions(strictest, limits, clock.now());
  const desired = {
    ...inputs,
    resources,
    policy:
      isKnown && generated === undefined ? suspending : withoutUnknown(suspending, rules, unknown, console),
  };
  const { environment, ...others } = secretSourcesOfCommits(console.io, flags, settings);
  const secrets = {
    ...others,
    secretsOut: flags.secretsOut,
    environment: Object.fromEntries(Object.entries(environment).filter(([name]) => !isOfTheJob(name))),
  };
  await hideSecrets(resources, secrets, console.hidden, { signal: io.signal });
  return withSession({ settings, console, flags: secrets }, async (session) => {
    const again = (theirs: readonly DesiredResource[]) =>
      proposeDesired("reconcile", { ...desired, resources: theirs }, session);
    const prepared = await proposeDesired("reconcile", desired, session);
    if (!other) return { ...prepared, settings, again, comparison: undefined };
    const { run, organization } = session;
    const { plan } = await propose(run, organization, "reconcile", other.resources, desired.policy);
    const comparison = { name: other.name, ...comparePlans(plan, prepared.proposal.plan) };
    return { ...prepared, settings, again, comparison };
  });
}

const mostWalked = 100;

/** Reads the base of a change, or the last readable commit before it, because the change may mend the base. */
async function readComparison(
  { reference, name }: { reference: string; name: string },
  sources: readonly string[],
  flags: SourceFlags,
  console: Console,
): Promise<{ resources: readonly DesiredResource[]; name: string }> {
  const { io } = console;
  let mistake: Error | undefined;
  let commit: string | undefined = reference;
  for (let walked = 0; commit !== undefined && walked < mostWalked; walked += 1) {
    try {
      const resources = await readBase(commit, sources, flags, { ...io, hidden: undefined });
      if (mistake === undefined) return { resources, name };
      console.note(
        `Note: ${name} has mistakes, so the change is compared with ${short(commit)}, the last commit before it that can be read.`,
      );
      return { resources, name: `${short(commit)}, the last commit before ${name} that can be read` };
    } catch (error) {
      if (!isOfCommit(error) || !isObjectId(reference)) throw error;
      mistake ??= error;
    }
    commit = await firstParent(commit, io);
    if (commit !== undefined) await fetchCommit(commit, io, [`--depth=${mostWalked}`]);
  }
  throw mistake ?? new Error(`nothing is known of ${name}`);
}
