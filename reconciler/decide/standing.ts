import { parseAnyAddress } from "../../core/address.ts";
import type { Outcome } from "../../core/execute/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { Change } from "./changes.ts";
import type { Finding } from "./finding.ts";
import { type Share, shareKey } from "../policy/shares.ts";
import type { Fight } from "./fights.ts";
import { modeOf, type Rules, waitEnd } from "../policy/index.ts";

/** How an environment stands to the commit in force, the worst first. */
export const standingStates = [
  /** A change has failed, or was not tried because of one. */
  "failed",
  /** A mistake that live state shows, or a missing consent. */
  "blocked",
  /** The commit drops the applied one, and its plan deletes. */
  "held",
  /** Somebody else sets a field again and again. */
  "fighting",
  "drift",
  /** The policy or the quota lets the commit wait. */
  "waiting",
  /** The policy says that nobody looks. */
  "unwatched",
  "in_step",
] as const;

export type StandingState = (typeof standingStates)[number];

/** How an environment, or a project without its contents, stands to the commit in force. */
export interface Standing {
  /** `shop/production`. */
  environment: string;
  state: StandingState;
  /** The commit that is applied there, as far as it is known. */
  applied?: string;
  /** What differs: of drift what became of it, otherwise what the commit would change. */
  changes: readonly Change[];
  /** Why the commit is not applied: of a policy, a suspension, the quota. */
  reason?: string;
  /** The time until which it waits, in milliseconds since 1970, where it is known. */
  until?: number;
  problems: readonly Problem[];
  /** What was tried and is not done. */
  undone: readonly Outcome[];
  fights: readonly Fight[];
}

/** What `standingsOf` works with. */
export interface StandingInput {
  shares: readonly Share[];
  finding: Finding;
  /** The changes of the plan for all environments, before anything was applied. */
  planned: readonly Change[];
  /** Whether the commit in force was applied before, so that a difference is drift. */
  isApplied: boolean;
  /** The shares that are in step with the commit in force, by their keys. */
  done: ReadonlySet<string>;
  appliedIn(key: string): string | undefined;
  rulesOf(names: readonly string[]): Rules;
}

/** How each environment stands after a cycle; undefined when the cycle has found nothing out. */
export function standingsOf(input: StandingInput): Standing[] | undefined {
  const { finding, shares } = input;
  if (finding.type === "overtaken" || finding.type === "interrupted") return undefined;
  const inShare = sharedOut(input);
  return shares.map((share) => standingOf(share, input, inShare));
}

/** What a cycle has found out, by the keys of the shares that it is about. */
function sharedOut({ finding, planned }: StandingInput) {
  const drift = "changes" in finding && finding.type !== "held" ? finding.changes : [];
  const problems = problemsOf(finding).filter(({ address }) => address !== undefined);
  return {
    outcomes: Map.groupBy(outcomesOf(finding), ({ address }) => shareKey(address)),
    problems: Map.groupBy(problems, ({ address = "" }) => keyOf(address)),
    fights: Map.groupBy("fights" in finding ? (finding.fights ?? []) : [], ({ address }) => keyOf(address)),
    drift: Map.groupBy(drift, ({ address }) => keyOf(address)),
    planned: Map.groupBy(planned, ({ address }) => keyOf(address)),
  };
}

function standingOf(share: Share, input: StandingInput, inShare: ReturnType<typeof sharedOut>): Standing {
  const { finding, isApplied, done, rulesOf } = input;
  const here = <Item>(items: ReadonlyMap<string, readonly Item[]>) => items.get(share.key) ?? [];
  const outcomes = here(inShare.outcomes);
  const undone = outcomes.filter(({ status }) => status !== "done");
  const problems = here(inShare.problems);
  const fights = here(inShare.fights);
  const waiting = "waiting" in finding ? finding.waiting : undefined;
  const wait = waiting?.find(({ environment }) => environment === share.name);
  const drift = here(inShare.drift);
  const planned = outcomes.length > 0 ? [] : here(inShare.planned);
  const rules = rulesOf(share.names);
  const opens = waitEnd(rules);
  const isCommit = !isApplied && !done.has(share.key);
  const applied = input.appliedIn(share.key);
  const standing = (state: StandingState, others: Partial<Standing> = {}): Standing => ({
    environment: share.name,
    state,
    changes: drift.length > 0 ? drift : planned,
    problems,
    undone,
    fights,
    ...(applied !== undefined && { applied }),
    ...others,
  });
  if (problems.length > 0) return standing("blocked");
  if (undone.length > 0) return standing("failed");
  if (fights.length > 0)
    return standing("fighting", { until: Math.min(...fights.map(({ until }) => Date.parse(until))) });
  if (wait)
    return standing("waiting", {
      changes: wait.changes,
      reason: wait.reason,
      ...(opens !== undefined && { until: opens }),
    });
  if (drift.length > 0)
    return standing(
      "drift",
      rules.suspended && {
        reason: `suspended: ${rules.suspended.reason}`,
        until: rules.suspended.until,
      },
    );
  if (modeOf(rules, isCommit) === "off") return standing("unwatched", { changes: [] });
  if (planned.length === 0 || finding.type === "in_step" || !isCommit)
    return standing("in_step", { changes: [] });
  if (finding.type === "held") return standing("held");
  if (finding.type === "blocked" && problems.length === 0) return standing("blocked");
  return standing("waiting", { reason: reasonOf(finding) });
}

function outcomesOf(finding: Finding): readonly Outcome[] {
  if ("report" in finding) return finding.report.outcomes;
  return "outcomes" in finding ? (finding.outcomes ?? []) : [];
}

function problemsOf(finding: Finding): readonly Problem[] {
  return finding.type === "blocked" ? finding.problems : [];
}

/** Why planned changes of an environment were not tried. */
function reasonOf(finding: Finding): string {
  if (finding.type === "unaffordable") return `the quota is too low: ${finding.requests} requests are needed`;
  if (finding.type === "invalid") return "the newest commit has mistakes";
  return "stopped" in finding && finding.stopped !== undefined
    ? "the cycle ended before its turn"
    : "it is applied in the next cycle";
}

/** The key of the share of an address such as `job:shop/production/a`. */
function keyOf(address: string): string {
  return shareKey(parseAnyAddress(address));
}
