import { hasChanges } from "../../core/planning/plan/index.ts";
import type { Action } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import { reasonToWait, waitEnd } from "../policy/index.ts";
import { deletes } from "./changes.ts";
import { type Fight, fightOver } from "./fights.ts";
import { SharePart, PlanNeeded, type VerdictFacts } from "./part.ts";
import { scopeOf, type ShareView } from "./view.ts";

/** The verdict on a share, or on one part of it: what follows from the commit, or drift. */
export interface Verdict {
  share: ShareView;
  does:
    | "nothing"
    /** Not everything has been read yet. */
    | "look"
    /** The policy says off. */
    | "ignore"
    | "apply"
    /** Drift is reported. */
    | "report"
    /** The commit waits. */
    | "wait"
    /** The branch was rewritten, and the commit deletes. */
    | "hold"
    /** Something has to be mended or allowed. */
    | "block";
  /** Whether the differences follow from the commit, and are not drift. */
  isCommit: boolean;
  /** The differences. */
  actions: readonly Action[];
  /** The digest of all differences of the share, which an approval names; absent: nothing differs. */
  plan?: string | undefined;
  /** Whether a person has asked for it. */
  isAsked: boolean;
  /** The addresses of drift that is not undone although the rest is, and of changes of the commit that come later. */
  left: ReadonlySet<string>;
  problems: readonly Problem[];
  fights: readonly Fight[];
  /** Why it waits, or a part of it. */
  reason?: string;
  /** The time until which it waits, in milliseconds since 1970, where it is known. */
  until?: number | undefined;
}

const unreadReason =
  "its live resources have not been read yet: what is left of the quota's share for looking is for events, or spent";

/** The rules in the order in which they win: the first one that holds decides. */
export const verdictRules: readonly {
  /** The condition in words, for the pages. */
  when: string;
  holds(part: SharePart): boolean;
  does: Verdict["does"];
  /** The reason in words, for the pages. */
  reason: string;
  /** The members of the verdict that say why. */
  why?(part: SharePart): Partial<Pick<Verdict, "reason" | "until" | "problems" | "fights" | "left">>;
}[] = [
  {
    when: "its live resources have not been read yet",
    holds: ({ share }) => !share.isKnown,
    does: "look",
    reason: "the share of the quota for looking is spent",
    why: () => ({ reason: unreadReason }),
  },
  {
    when: "`on_commit` or `on_drift` is `off`",
    holds: ({ mode }) => mode === "off",
    does: "ignore",
    reason: "",
  },
  {
    when: "another source describes something there too, or one would prune what the other describes",
    holds: ({ share }) => (share.claimed ?? []).length > 0,
    does: "block",
    reason: "the resource, and the other source",
    why: ({ share: { claimed = [] } }) => ({ problems: claimed }),
  },
  {
    when: "nothing differs",
    holds: ({ shown, isRefused, actions }) => !shown.refusal && !isRefused && actions.length === 0,
    does: "nothing",
    reason: "",
  },
  {
    when: "commit: `on_commit` is `report`, or a suspension, a window, an earlier environment or the server's work lets it wait",
    holds: ({ mode, isCommit }) => mode === "report" && isCommit,
    does: "wait",
    reason: "`on_commit: report`, or the suspension, the window, the environment before it",
    why({ share: { rules } }) {
      const until = waitEnd(rules);
      return { reason: reasonToWait(rules), until };
    },
  },
  {
    // A refused plan shows no changes. Without the refusal the environment would look in step.
    when: "drift: it is only reported, and a document has a mistake that live state shows",
    holds: ({ mode, shown }) => mode === "report" && shown.refusal !== undefined,
    does: "block",
    reason: "the mistake",
    why: ({ shown }) => ({ problems: shown.refusal?.problems ?? [] }),
  },
  {
    when: "drift: `on_drift` is `report`, or a suspension, a window or the server's work lets it wait",
    holds: ({ mode }) => mode === "report",
    does: "report",
    reason: "the suspension, if there is one",
  },
  {
    when: "commit: the repository cannot be read, so a newer commit may be there",
    holds: ({ isCommit, facts }) => isCommit && facts.view.isUnread === true,
    does: "wait",
    reason: "the repository cannot be read",
    why: () => ({ reason: "the repository cannot be read" }),
  },
  {
    when: "commit: the newest one has mistakes, and the environment is not rolled back",
    holds: ({ isCommit, facts, share }) => isCommit && facts.view.mistakes.length > 0 && !share.rolledBack,
    does: "wait",
    reason: "the newest commit has mistakes",
    why: () => ({ reason: "the newest commit has mistakes" }),
  },
  {
    when: "commit: it drops the applied one, and a mistake hides whether it deletes",
    holds: ({ isCommit, facts }) =>
      isCommit && facts.view.dropped !== undefined && facts.whole.refusal !== undefined,
    does: "block",
    reason: "the mistake",
    why: ({ objections }) => ({ problems: objections }),
  },
  {
    when: "commit: it drops the applied one, its plan deletes, and nobody has approved that",
    holds: ({ isCommit, facts, isApproved }) =>
      isCommit && facts.view.dropped !== undefined && deletes(facts.whole.plan) && !isApproved,
    does: "hold",
    reason: "the applied commit that it drops",
  },
  {
    // Which documents a target chooses is the decision of the operator, and not divided further.
    when: "commit: `--target` chooses its documents, and something forbids the plan",
    holds: ({ isCommit, facts, isForbidden }) => isCommit && facts.view.isTargeted && isForbidden,
    does: "block",
    reason: "what forbids it",
    why: ({ objections }) => ({ problems: objections }),
  },
  {
    // A person who approves the changes of an environment has seen those of no other one.
    when: "commit: it drops the applied one, and would delete in another environment too",
    holds: ({ isCommit, facts, deletesElsewhere }) =>
      isCommit && facts.view.dropped !== undefined && deletesElsewhere,
    does: "hold",
    reason: "the applied commit that it drops",
  },
  {
    when: "commit: it needs a change that is not permitted, such as the creation of its environment",
    holds: ({ isCommit, need }) => isCommit && need !== undefined,
    does: "wait",
    reason: "what it needs",
    why: ({ need }) => ({ reason: needText(need) }),
  },
  {
    when: "drift: to set it back needs a change that is not permitted",
    holds: ({ need }) => need !== undefined,
    does: "report",
    reason: "what it needs",
    why: ({ need }) => ({ reason: needText(need) }),
  },
  {
    when: "drift: it needs something that is left in another environment, because of a fight or a missing consent",
    holds: ({ isCommit, isLeftElsewhere }) => !isCommit && isLeftElsewhere,
    does: "report",
    reason: "the fight, or the consent",
    why: ({ kept }) => kept,
  },
  {
    when: "commit: all of it belongs to later waves",
    holds: ({ isCommit, isAllLeft }) => isCommit && isAllLeft,
    does: "wait",
    reason: "the wave, and what it waits for",
    why: ({ later }) => ({ ...(later && { reason: later.reason }) }),
  },
  {
    when: "drift: all of it is fought over, or lacks a consent",
    holds: ({ isAllLeft }) => isAllLeft,
    does: "report",
    reason: "the fight, or the consent",
    why: ({ kept }) => kept,
  },
  {
    when: "a mistake, a missing consent, a secret that cannot be read, or a limit of deletions forbids it",
    holds: ({ problems }) => problems.length > 0,
    does: "block",
    reason: "what forbids it",
    why: ({ kept, problems }) => ({
      problems: distinct([...kept.problems, ...problems]),
      fights: kept.fights,
    }),
  },
  {
    when: "nothing of that",
    holds: () => true,
    does: "apply",
    reason: "what is left: later waves, fights, what lacks a consent",
    why: ({ left, kept, later }) => ({ left, ...kept, ...(later && { reason: later.reason }) }),
  },
];

/** The verdicts on a share, one for each cause of its differences; undefined if a plan has to be made first. */
export function verdictsOn(share: ShareView, facts: VerdictFacts): Verdict[] | undefined {
  try {
    return partsOf(share, facts).map(verdictOn);
  } catch (error) {
    if (error instanceof PlanNeeded) return undefined;
    throw error;
  }
}

/** What follows from the commit, and what is drift. Where nothing differs, or nobody can see it, there is one part. */
function partsOf(share: ShareView, facts: VerdictFacts): SharePart[] {
  const { whole, view } = facts;
  if (!share.isKnown) return [new SharePart(share, !share.isApplied, whole, facts)];
  // A plan that is refused may lack what depends on the mistake.
  const shown = whole.refusal ? facts.planned(scopeOf([share], view.shares)) : whole;
  if (shown.refusal) return [new SharePart(share, !share.isApplied, shown, facts, true)];
  const parts = [true, false].map((isCommit) => new SharePart(share, isCommit, shown, facts));
  const differing = parts.filter(({ actions }) => actions.length > 0);
  // What a person has approved as a whole is not divided.
  if (differing.length > 1 && parts.every(({ isApproved, mode }) => isApproved && mode === "apply"))
    return [new SharePart(share, true, shown, facts, true)];
  return differing.length > 0 ? differing : parts.filter(({ isCommit }) => isCommit !== share.isApplied);
}

function verdictOn(part: SharePart): Verdict {
  const { share, isCommit, actions, plan, isAsked } = part;
  const rule = verdictRules.find(({ holds }) => holds(part));
  const does = rule?.does ?? "report";
  return {
    share,
    does,
    isCommit,
    actions: share.isKnown ? actions : [],
    plan,
    isAsked,
    left: new Set(),
    problems: [],
    fights: [],
    ...rule?.why?.(part),
  };
}

function needText(need: SharePart["need"]): string {
  const { name = "", isDrift } = need ?? {};
  return isDrift
    ? `it needs ${name}, which somebody else has changed`
    : `it needs ${name}, which is not applied`;
}

/** Whether every change of the plan of everything is permitted, and nothing forbids or delays any of it. */
export function isWholePossible({ view, whole, judged }: Omit<VerdictFacts, "isWhole">): boolean {
  const { problems } = whole.plan;
  if (problems.length + view.refused.length > 0 || !hasChanges(whole.plan)) return false;
  if (view.dropped !== undefined && deletes(whole.plan)) return false;
  if (view.shares.some(({ claimed = [] }) => claimed.length > 0)) return false;
  return judged(whole.plan).every(
    ({ mode, action, isOfCommit }) =>
      mode === "apply" && (isOfCommit || fightOver(action, view.undone, view.now) === undefined),
  );
}

export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((each) => [`${each.address} ${each.message}`, each])).values()];
}
