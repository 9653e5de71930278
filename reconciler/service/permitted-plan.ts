import type { Plan } from "../../core/planning/plan/index.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import { approve, propose, type Proposal, withProblems } from "../../core/execution/session/index.ts";
import {
  type Decision,
  distinct,
  everything,
  type PlanTargets,
  scopeOf,
  type View,
  withPromotions,
} from "../decide/index.ts";
import { type CommitRules, changesBeyond, noRules, withIgnored } from "../people/index.ts";
import { modeOf, reasonToWait, environmentsOf, sparedBy, withoutPruning } from "../policy/index.ts";
import { liveRules, type RuleSources } from "../view/index.ts";
import { settle } from "./settle.ts";

/** The part of a commit that may be applied now, and why the rest is left out. */
export interface PermittedPlan {
  /** The plan, with the problems that forbid it, if there are any; undefined if the rules permit nothing. */
  proposal: Proposal | undefined;
  /** The environments that the rules leave out: `shop/production (on_commit: report)`. */
  waiting: readonly string[];
  /** Why the plan leaves out environments that the rules permit, such as a missing consent; undefined if it leaves out none. */
  left: InvalidInputError | undefined;
  /** The applied commit that this one drops while its plan deletes, so that nothing is applied; undefined otherwise. */
  held: string | undefined;
}

/** The results of earlier runs of a commit. */
export type Before = Pick<View, "ledger" | "dropped">;

/** Without a memory, nothing was deleted before, and nothing is limited by day. */
const unknownBefore = (): Promise<Before> =>
  Promise.resolve({
    ledger: { tree: "", limits: { commit: Infinity, day: Infinity }, deletions: [], countedSince: -Infinity },
  });

/** Plans a commit as far as it can be applied now; every difference counts as one of the commit. @param before is asked once, about the whole plan */
export async function proposePermitted(
  sources: RuleSources,
  before: (plan: Plan) => Promise<Before> = unknownBefore,
  { limits, ignored }: CommitRules = noRules,
): Promise<PermittedPlan> {
  const { run, organization, policy } = sources;
  const rulesOf = await liveRules(sources);
  const resources = withIgnored(ignored, withoutPruning(sources.resources, rulesOf));
  const plan = async ({ includes: scope, leaves }: PlanTargets) => {
    const scoped = { ...policy, scope, leaves, spares: sparedBy(rulesOf) };
    const proposed = await propose(run, organization, "reconcile", resources, scoped);
    return withProblems(proposed, changesBeyond(limits, proposed.plan));
  };
  const environments = environmentsOf(resources).map((environment) => ({
    ...environment,
    rules: rulesOf(environment.names),
    isKnown: true,
    isApplied: false,
    health: [],
    digest: "",
  }));
  const whole = await plan(everything);
  const known = await before(whole.plan);
  // Only a service knows for how long an environment has been healthy: what comes after another one waits.
  const seen = withPromotions({
    // A deletion of a moment ago by the clock of the server is in the past here too.
    now: run.clock.now(),
    commit: "",
    mistakes: [],
    isApplied: false,
    isTargeted: policy.targets.length > 0,
    environments,
    rulesOf,
    plans: new Map([[everything.key, whole]]),
    refused: [],
    undone: {},
    affordable: Infinity,
    ...known,
  });
  // What approval refuses that a plan does not show, such as a secret that cannot be read.
  const { decision, view } = await settle(seen, plan, async (decided) => {
    if (decided.type !== "apply") return undefined;
    const { proposal, permits } = decided;
    const confirm = () => Promise.resolve(false);
    const approval = await approve(proposal, run, { onQuota: "wait", permits, confirm });
    return approval.type === "refused" ? approval : undefined;
  });
  return permitted(decision, view, plan);
}

async function permitted(
  decision: Exclude<Decision, { type: "plan" }>,
  { plans, environments, dropped }: View,
  plan: (scope: PlanTargets) => Promise<Proposal>,
): Promise<PermittedPlan> {
  const { verdicts } = decision;
  const byRules = new Map(
    verdicts.flatMap(({ does, environment, reason }) => {
      const why =
        does === "wait" && reason !== undefined
          ? reason
          : modeOf(environment.rules, true) === "apply"
            ? undefined
            : reasonToWait(environment.rules);
      return why === undefined ? [] : [[environment, why] as const];
    }),
  );
  const problems = distinct(verdicts.flatMap((verdict) => verdict.problems));
  const all = {
    waiting: [...byRules].map(([{ name }, why]) => `${name} (${why})`),
    held: verdicts.some(({ does }) => does === "hold") ? dropped : undefined,
  };
  if (decision.type === "apply") {
    const isConsent = problems.every(({ blocks }) => blocks === "apply");
    const left =
      problems.length === 0
        ? undefined
        : new InvalidInputError(problems, isConsent ? "not_approved" : "invalid_input");
    return { ...all, proposal: decision.proposal, left };
  }
  const others = verdicts.flatMap(({ environment }) => (byRules.has(environment) ? [] : [environment]));
  if (others.length === 0 && byRules.size > 0) return { ...all, proposal: undefined, left: undefined };
  const scope = byRules.size === 0 ? everything : scopeOf(others, environments);
  const { plan: found } = plans.get(scope.key) ?? (await plan(scope));
  return { ...all, proposal: withProblems({ plan: { ...found, problems: [] } }, problems), left: undefined };
}
