import { reasonToWait, waitEnd } from "../policy/index.ts";
import { deletes } from "./changes.ts";
import {
  deletesElsewhere,
  type Differences,
  isLeftElsewhere,
  objectionsIn,
  objectionsTo,
  type OwnPlan,
  type Remainder,
} from "./differences.ts";
import { distinct, type Verdict } from "./verdict.ts";

/** A rule for a verdict, on some known facts about differences. */
export interface Rule<Known> {
  /** The condition in words, for the pages. */
  when: string;
  holds(of: Known): boolean;
  does: Verdict["does"];
  /** The reason in words, for the pages. */
  reason: string;
  why?(of: Known): Partial<Pick<Verdict, "reason" | "until" | "problems" | "driftLoops" | "left">>;
}

const unreadReason =
  "its live resources have not been read yet: the quota's share for drift checks is reserved for events, or spent";

/** The rules that need no plan of the differences alone. */
export const firstRules: readonly Rule<Differences>[] = [
  {
    when: "its live resources have not been read yet",
    holds: ({ environment }) => !environment.isKnown,
    does: "refresh",
    reason: "the share of the quota for drift checks is spent",
    why: () => ({ reason: unreadReason }),
  },
  {
    when: "`on_commit` or `on_drift` is `off`",
    holds: ({ mode }) => mode === "off",
    does: "ignore",
    reason: "",
  },
  {
    when: "another source declares a resource there too, or one would prune a resource of the other",
    holds: ({ environment }) => (environment.claimed ?? []).length > 0,
    does: "block",
    reason: "the resource, and the other source",
    why: ({ environment: { claimed = [] } }) => ({ problems: claimed }),
  },
  {
    when: "nothing differs",
    holds: (of) => !of.shown.refusal && of.objections.length === 0 && of.actions.length === 0,
    does: "nothing",
    reason: "",
  },
  {
    when: "commit: `on_commit` is `report`, or a suspension, a window, an earlier environment or an operation of the server delays it",
    holds: ({ mode, isCommit }) => mode === "report" && isCommit,
    does: "wait",
    reason: "`on_commit: report`, or the suspension, the window, the environment before it",
    why({ environment: { rules } }) {
      const until = waitEnd(rules);
      return { reason: reasonToWait(rules), until };
    },
  },
  {
    // A refused plan shows no changes. Without the refusal, the environment would look synced.
    when: "drift: the policy only reports it, and a document has a mistake that live state shows",
    holds: ({ mode, shown }) => mode === "report" && shown.refusal !== undefined,
    does: "block",
    reason: "the mistake",
    why: ({ shown }) => ({ problems: shown.refusal?.problems ?? [] }),
  },
  {
    when: "drift: `on_drift` is `report`, or a suspension, a window or an operation of the server delays it",
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
    holds: ({ isCommit, facts, environment }) =>
      isCommit && facts.view.mistakes.length > 0 && !environment.rolledBack,
    does: "wait",
    reason: "the newest commit has mistakes",
    why: () => ({ reason: "the newest commit has mistakes" }),
  },
  {
    when: "commit: a force push dropped the applied commit, and the new one has mistakes, so its deletions are unknown",
    holds: ({ isCommit, facts }) =>
      isCommit && facts.view.dropped !== undefined && facts.whole.refusal !== undefined,
    does: "block",
    reason: "the mistake",
    why: (of) => ({ problems: objectionsIn(of) }),
  },
  {
    when: "commit: a force push dropped the applied commit, and the plan of the new one deletes without an approval",
    holds: ({ isCommit, facts, isApproved }) =>
      isCommit && facts.view.dropped !== undefined && deletes(facts.whole.plan) && !isApproved,
    does: "hold",
    reason: "the dropped commit",
    why: dropReason,
  },
  {
    // The operator decides which documents a target chooses, so they are not divided.
    when: "commit: `--target` chooses its documents, and something forbids the plan",
    holds: ({ isCommit, facts }) => isCommit && facts.view.isTargeted && objectionsTo(facts).length > 0,
    does: "block",
    reason: "the mistake, approval, secret or limit",
    why: (of) => ({ problems: objectionsIn(of) }),
  },
];

/** The rules on the plan of the differences alone. */
export const rulesOnOwnPlan: readonly Rule<OwnPlan>[] = [
  {
    // A person who approves changes of one environment has not seen those of another one.
    when: "commit: a force push dropped the applied commit, and the new one would also delete in another environment",
    holds: (of) => of.isCommit && of.facts.view.dropped !== undefined && deletesElsewhere(of),
    does: "hold",
    reason: "the dropped commit",
    why: dropReason,
  },
  {
    when: "commit: it needs a change that is not permitted, such as the creation of its environment",
    holds: ({ isCommit, need }) => isCommit && need !== undefined,
    does: "wait",
    reason: "the missing change",
    why: ({ need }) => ({ reason: needText(need) }),
  },
  {
    when: "drift: reverting it needs a change that is not permitted",
    holds: ({ need }) => need !== undefined,
    does: "report",
    reason: "the missing change",
    why: ({ need }) => ({ reason: needText(need) }),
  },
  {
    when: "drift: it needs a resource of another environment with a drift loop or a missing approval",
    holds: (of) => !of.isCommit && isLeftElsewhere(of),
    does: "report",
    reason: "the drift loop, or the approval",
    why: skippedIn,
  },
];

/** The rules on the remaining changes. The last one always applies. */
export const rulesOnRemainder: readonly Rule<Remainder>[] = [
  {
    when: "commit: all of it belongs to later waves",
    holds: ({ isCommit, isEmpty }) => isCommit && isEmpty,
    does: "wait",
    reason: "the wave, and the reason of its wait",
    why: reasonOf,
  },
  {
    when: "drift: all of it is in a drift loop, or lacks an approval",
    holds: ({ isEmpty }) => isEmpty,
    does: "report",
    reason: "the drift loop, or the approval",
    why: skippedIn,
  },
  {
    when: "a mistake, a missing approval, a secret that cannot be read, or a limit of deletions forbids it",
    holds: ({ forbidden }) => forbidden.length > 0,
    does: "block",
    reason: "the mistake, approval, secret or limit",
    why: ({ unconsented, forbidden, driftLoops }) => ({
      problems: distinct([...unconsented, ...forbidden]),
      driftLoops,
    }),
  },
  {
    when: "none of these conditions",
    holds: () => true,
    does: "apply",
    reason: "the delayed changes: later waves, drift loops, changes without an approval",
    why: (of) => ({ left: of.left, ...skippedIn(of), ...reasonOf(of) }),
  },
];

/** In order of priority: the first rule that applies decides. */
export const verdictRules: readonly Pick<Rule<never>, "when" | "does" | "reason">[] = [
  ...firstRules,
  ...rulesOnOwnPlan,
  ...rulesOnRemainder,
];

function skippedIn({ driftLoops, unconsented }: OwnPlan): Pick<Verdict, "driftLoops" | "problems"> {
  return { driftLoops, problems: unconsented };
}

function reasonOf({ later }: OwnPlan): Pick<Verdict, "reason"> {
  return later ? { reason: later.reason } : {};
}

function dropReason({ facts }: Pick<Differences, "facts">): { reason: string } {
  return { reason: `it drops the applied commit ${facts.view.dropped?.slice(0, 7)}, and its plan deletes` };
}

function needText(need: OwnPlan["need"]): string {
  const { name = "", isDrift } = need ?? {};
  return isDrift
    ? `it needs ${name}, which somebody else has changed`
    : `it needs ${name}, which is not applied`;
}
