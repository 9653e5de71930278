import { isComplete, type Outcome } from "../core/apply/index.ts";
import type { Desired } from "../core/manifest/index.ts";
import type { Organization } from "../core/organization.ts";
import { hasChanges, type Policy } from "../core/plan/index.ts";
import type { Problem } from "../core/problem.ts";
import { type Ending, propose, type Proposal, type Run } from "../core/run/index.ts";
import { type Change, changesOf, deletes } from "./changes.ts";
import { sharesOf } from "./environments.ts";

/** What has become of a commit that cannot be applied as a whole. */
export interface Shared {
  /** The keys of the shares that are in step with the commit. */
  done: Set<string>;
  /** Why the others are not. */
  problems: Problem[];
  outcomes: Outcome[];
  /** What differs from the commit in shares that were in step with it before. */
  drift: Change[];
  /** Why the rest was not tried. */
  stopped?: Exclude<Ending["type"], "applied" | "unchanged" | "refused"> | "incomplete";
}

/** What `enactShares` works with. */
export interface Sharing {
  run: Run;
  organization: Organization;
  resources: readonly Desired[];
  policy: Policy;
  /** The problems of the whole plan. */
  whole: readonly Problem[];
  /** The shares that are in step with the commit already. */
  done: ReadonlySet<string>;
  enact(proposal: Proposal): Promise<Ending>;
}

/**
 * Applies a commit by environment, so that what blocks one environment leaves the others in step. A cap that the whole
 * plan exceeds forbids every deletion, since the shares together would exceed it too.
 */
export async function enactShares(sharing: Sharing): Promise<Shared> {
  const { run, organization, resources, policy, whole, done, enact } = sharing;
  const shared: Shared = { done: new Set(done), problems: [], outcomes: [], drift: [] };
  const exceeded = whole.filter(({ code }) => code === "too_many");
  for (const { key, target } of sharesOf(resources)) {
    const proposal = await propose(run, organization, "reconcile", resources, {
      ...policy,
      targets: [target],
    });
    const { plan, refusal, missingConsents } = proposal;
    if (done.has(key)) {
      shared.drift.push(...changesOf(plan));
      continue;
    }
    const caps = deletes(plan) ? exceeded : [];
    const problems = [...(refusal?.problems ?? missingConsents), ...caps];
    if (problems.length > 0) {
      shared.problems.push(...problems);
      continue;
    }
    if (!hasChanges(plan)) {
      shared.done.add(key);
      continue;
    }
    const ending = await enact(proposal);
    if (ending.type === "refused") shared.problems.push(...ending.problems);
    else if (ending.type === "applied") {
      shared.outcomes.push(...ending.report.outcomes.filter(({ type }) => type !== "none"));
      if (isComplete(ending.report)) shared.done.add(key);
      else shared.stopped ??= "incomplete";
      if (ending.report.stopped) break;
    } else if (ending.type !== "unchanged") {
      shared.stopped = ending.type;
      break;
    }
  }
  shared.problems = [
    ...new Map(shared.problems.map((each) => [`${each.address} ${each.message}`, each])).values(),
  ];
  return shared;
}
