import { formatAddress } from "../../core/address.ts";
import { type Action, hasChanges, isChange, type Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { Proposal } from "../../core/session/index.ts";
import { type Mode, modeOf, reasonToWait, type Share, shareOf, waitEnd } from "../policy/index.ts";
import { digestIn, isAskedFor, modeIn } from "./asked.ts";
import { deletes } from "./changes.ts";
import { type Fight, fightOver } from "./fights.ts";
import { laterWaves } from "./waves.ts";
import { everything, holderOf, type Scope, scopeOf, type ShareView, type View } from "./view.ts";

/** The verdict on a share. */
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
  /** Whether the differences are changes of the commit, and not drift. */
  isCommit: boolean;
  /** The differences. */
  actions: readonly Action[];
  /** The digest of that, which an approval names; absent: nothing differs. */
  plan?: string;
  /** Whether a person has asked for it. */
  isAsked: boolean;
  /** The addresses of drift that is not undone although the rest is, and of changes of the commit that come later. */
  left: ReadonlySet<string>;
  problems: readonly Problem[];
  fights: readonly Fight[];
  /** Why the commit waits, or a part of it. */
  reason?: string;
  /** The time until which it waits, in milliseconds since 1970, where it is known. */
  until?: number;
}

/** The facts that verdicts need. */
export interface VerdictFacts {
  view: View;
  /** The plan of everything, and what it changes by share. */
  whole: Proposal;
  changes: ReadonlyMap<ShareView | undefined, readonly Action[]>;
  /** Whether the plan of everything can be carried out as it is, so that no share needs a plan of its own. */
  isWhole: boolean;
  /** The plan of a scope; undefined if it has to be made first. */
  planned(scope: Scope): Proposal | undefined;
}

/** The verdict on a share; undefined if a plan has to be made first. */
export function verdictOn(share: ShareView, known: VerdictFacts): Verdict | undefined {
  if (!share.isKnown) return unread(share);
  const { view, whole, isWhole, planned } = known;
  // A plan that is refused may lack what depends on the mistake.
  const shown = whole.refusal ? planned(scopeOf([share], view.shares)) : whole;
  if (!shown) return undefined;
  const actions = (whole.refusal ? changesByShare(view, shown.plan) : known.changes).get(share) ?? [];
  const isCommit = isOfCommit(share, actions);
  const isAsked = isAskedFor(share, shown.plan, actions);
  const verdict = (does: Verdict["does"], more: Partial<Verdict> = {}): Verdict => ({
    share,
    does,
    isCommit,
    actions,
    ...(actions.length > 0 && { plan: digestIn(shown.plan, actions) }),
    isAsked,
    left: new Set(),
    problems: [],
    fights: [],
    ...more,
  });
  const { rules } = share;
  const mode = modeIn(share, isCommit, isAsked);
  if (mode === "off") return verdict("ignore");
  // The plan has no action for a protected resource, but the deletion is still a problem of the commit.
  const isRefused = shown.missingConsents.some(
    ({ address }) => address !== undefined && holderOf(view.shares, address) === share,
  );
  if (!shown.refusal && !isRefused && actions.length === 0) return verdict("nothing");
  if (mode === "report" && isCommit) {
    const until = waitEnd(rules);
    return verdict("wait", { reason: reasonToWait(rules), ...(until !== undefined && { until }) });
  }
  // A refused plan shows no changes. Report the refusal, or the environment would look in step.
  if (mode === "report")
    return shown.refusal ? verdict("block", { problems: shown.refusal.problems }) : verdict("report");
  // A newer commit may be there.
  if (isCommit && view.isUnread) return verdict("wait", { reason: "the repository cannot be read" });
  // After a rollback, mistakes of the newest commit do not count.
  if (isCommit && view.mistakes.length > 0 && !share.rolledBack)
    return verdict("wait", { reason: "the newest commit has mistakes" });
  const isApproved = isAsked && share.asked?.type === "approve";
  if (isCommit && view.dropped !== undefined) {
    if (whole.refusal) return verdict("block", { problems: concerning(share, view, whole.refusal.problems) });
    if (deletes(whole.plan) && !isApproved) return verdict("hold");
  }
  const objections = [...problemsOf(whole), ...view.refused];
  // Which documents a target chooses is the decision of the operator, and not divided further.
  if (isCommit && view.isTargeted && objections.length > 0)
    return verdict("block", { problems: concerning(share, view, objections) });
  const own = isWhole ? whole : planned(scopeOf([share], view.shares));
  if (!own) return undefined;
  // A person who approves the changes of a share has seen those of no other one.
  const others = own.plan.actions.filter(({ address }) => holderOf(view.shares, address) !== share);
  if (isCommit && view.dropped !== undefined && deletes({ actions: others })) return verdict("hold");
  const needed = forbiddenNeed(share, own.plan, known, isCommit);
  if (needed)
    return isCommit
      ? verdict("wait", { reason: `it needs ${needed.name}, which is not applied` })
      : verdict("report");
  const { fights, problems: unconsented } = isCommit ? nothingLeft : leftOf(own, view, isAsked);
  const later = isCommit ? laterWaves(share, actions, view) : undefined;
  const left = new Set([
    ...[...fights, ...unconsented].map(({ address = "" }) => address),
    ...(later?.left ?? []),
  ]);
  const isOwn = (address: string) => holderOf(view.shares, address) === share;
  // What the rest needs is left too.
  if (![...left].every(isOwn)) return verdict("report", { fights, problems: unconsented });
  const rest = left.size === 0 ? own : planned(scopeOf([share], view.shares, left));
  if (!rest) return undefined;
  if (
    left.size > 0 &&
    (actions.every((action) => left.has(formatAddress(action.address))) || !hasChanges(rest.plan))
  )
    return later
      ? verdict("wait", { reason: later.reason })
      : verdict("report", { fights, problems: unconsented });
  const capped = deletes(rest.plan) ? planned(permitted(known)) : undefined;
  if (deletes(rest.plan) && !capped) return undefined;
  const problems = [
    ...problemsOf(rest),
    ...refusedIn(rest.plan, view),
    ...(capped?.missingConsents ?? []).filter(({ code }) => code === "too_many"),
  ];
  return problems.length > 0
    ? verdict("block", { problems: distinct([...unconsented, ...problems]), fights })
    : verdict("apply", { left, fights, problems: unconsented, ...(later && { reason: later.reason }) });
}

/** The verdict on a share of which not everything has been read. */
function unread(share: ShareView): Verdict {
  return {
    share,
    does: "look",
    isCommit: !share.isApplied,
    actions: [],
    isAsked: false,
    left: new Set(),
    problems: [],
    fights: [],
    reason:
      "its live resources have not been read yet: what is left of the quota's share for looking is for events, or spent",
  };
}

/** The changes of a plan, by share. */
export function changesByShare(
  { shares }: View,
  { actions }: Pick<Plan, "actions">,
): VerdictFacts["changes"] {
  return Map.groupBy(actions.filter(isChange), ({ address }) => holderOf(shares, address));
}

/** Why a proposal cannot be carried out. */
export function problemsOf({ refusal, missingConsents }: Proposal): readonly Problem[] {
  return refusal?.problems ?? missingConsents;
}

/** Whether every change of the plan of everything is one of the commit, permitted, and without problems. */
export function isWholePossible(facts: Pick<VerdictFacts, "view" | "whole" | "changes">): boolean {
  const { view, whole } = facts;
  const shares = new Map(view.shares.map((share) => [share.key, share]));
  return (
    problemsOf(whole).length + view.refused.length === 0 &&
    view.shares.every((share) => !laterWaves(share, facts.changes.get(share) ?? [], view)) &&
    (view.dropped === undefined || !deletes(whole.plan)) &&
    whole.plan.actions.filter(isChange).every(({ address }) => {
      const { key, names } = shareOf(address);
      const share = shares.get(key);
      return share
        ? !share.isApplied && modeNow(share, facts) === "apply"
        : modeOf(view.rulesOf(names), true) === "apply";
    })
  );
}

/** The permission for the changes of a share now. */
function modeNow(share: ShareView, { whole, changes }: Pick<VerdictFacts, "whole" | "changes">): Mode {
  const actions = changes.get(share) ?? [];
  return modeIn(share, isOfCommit(share, actions), isAskedFor(share, whole.plan, actions));
}

export function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((each) => [`${each.address} ${each.message}`, each])).values()];
}

/** The problems of a share, and those of no share. */
function concerning(share: ShareView, { shares }: View, problems: readonly Problem[]): Problem[] {
  return problems.filter(({ address }) => address === undefined || holderOf(shares, address) === share);
}

/**
 * Whether the differences of a share are changes of the commit. So is the end of an environment: the commit itself says
 * when that is.
 */
function isOfCommit({ isApplied, rules }: ShareView, actions: readonly Action[]): boolean {
  const isOver = actions.some(
    ({ reason, carriedOutBy }) => reason === "expired" && carriedOutBy === undefined,
  );
  return !isApplied || (isOver && modeOf(rules, true) === "apply");
}

/** Another share that a plan changes although its rules forbid that. */
function forbiddenNeed(
  { key }: Share,
  { actions }: Plan,
  facts: VerdictFacts,
  isCommit: boolean,
): Share | undefined {
  const { view } = facts;
  return actions
    .filter(isChange)
    .map(({ address }) => shareOf(address))
    .find((other) => {
      if (other.key === key) return false;
      const described = view.shares.find((each) => each.key === other.key);
      const mode = described ? modeNow(described, facts) : modeOf(view.rulesOf(other.names), isCommit);
      return mode !== "apply";
    });
}

const nothingLeft: { fights: Fight[]; problems: Problem[] } = { fights: [], problems: [] };

/**
 * The rest of drift: fields that somebody else sets again and again, and changes without a consent. Restoring the past
 * needs what any loss needs. What a person has asked for does not wait for the other side.
 */
function leftOf(
  { plan, refusal, missingConsents }: Proposal,
  { undone, now }: View,
  isAsked: boolean,
): typeof nothingLeft {
  const actions = plan.actions.filter(isChange);
  const addresses = new Set(plan.actions.map(({ address }) => formatAddress(address)));
  return {
    fights: isAsked ? [] : actions.flatMap((action) => fightOver(action, undone, now) ?? []),
    problems: refusal
      ? []
      : missingConsents.filter(({ code, address = "" }) => code !== "too_many" && addresses.has(address)),
  };
}

/** The scope of all that the rules permit: a cap that these changes together exceed forbids every deletion. */
function permitted(facts: VerdictFacts): Scope {
  if (facts.isWhole) return everything;
  const { shares } = facts.view;
  return scopeOf(
    shares.filter((share) => modeNow(share, facts) === "apply"),
    shares,
  );
}

/** Why the plan of a share was not approved. */
function refusedIn({ actions }: Plan, { refused }: View): Problem[] {
  const addresses = new Set(actions.map(({ address }) => formatAddress(address)));
  return refused.filter(({ address }) => address === undefined || addresses.has(address));
}
