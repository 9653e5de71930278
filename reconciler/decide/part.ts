import { formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, hasChanges, isChange, type Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import { type Mode, modeOf, shareOf } from "../policy/index.ts";
import { digestIn, isAskedFor, modeIn } from "./asked.ts";
import { isOfCommit } from "./causes.ts";
import { deletes } from "./changes.ts";
import { type Fight, fightOver } from "./fights.ts";
import { everything, holderOf, type PlanTargets, scopeOf, type ShareView, type View } from "./view.ts";
import { type LaterWaves, laterWaves } from "./waves.ts";

/** A change of a plan, the share that it is in, and whether the rules permit it now. */
export interface JudgedChange {
  action: Action;
  address: string;
  share: ShareView | undefined;
  isOfCommit: boolean;
  mode: Mode;
}

/** The facts that verdicts need. */
export interface VerdictFacts {
  view: View;
  /** The plan of everything. */
  whole: Proposal;
  judged(plan: Plan): readonly JudgedChange[];
  /** Whether the plan of everything can be carried out as it is, so that no share needs a plan of its own. */
  isWhole: boolean;
  /** The plan of a scope. @throws PlanNeeded if it has to be made first */
  planned(scope: PlanTargets): Proposal;
}

/** A plan has to be made before anything can be decided. */
export class PlanNeeded extends Error {}

/** The differences of a share that follow from the commit, or those that are drift: each is decided by itself. */
export class SharePart {
  readonly share: ShareView;
  readonly isCommit: boolean;
  readonly actions: readonly Action[];
  readonly isAsked: boolean;
  /** The permission for it now. */
  readonly mode: Mode;
  readonly facts: VerdictFacts;
  /** The plan that shows it: that of everything, or of the share where that one is refused. */
  readonly shown: Proposal;
  /** The digest of all differences of the share, which an approval names; undefined: nothing differs. */
  readonly plan: string | undefined;

  readonly #isAll: boolean;

  /** @param isAll whether it has all differences of the share, because they are decided together */
  constructor(share: ShareView, isCommit: boolean, shown: Proposal, facts: VerdictFacts, isAll = false) {
    this.#isAll = isAll;
    this.share = share;
    this.isCommit = isCommit;
    this.facts = facts;
    this.shown = shown;
    const all = facts.judged(shown.plan).flatMap((change) => (change.share === share ? [change.action] : []));
    this.actions = all.filter((action) => isAll || isOfCommit(action) === isCommit);
    this.isAsked = isAskedFor(share, shown.plan, all);
    this.mode = modeIn(share, isCommit, this.isAsked);
    this.plan = all.length > 0 ? digestIn(shown.plan, all) : undefined;
  }

  /**
   * The addresses of what stays as it is while this part is carried out: the other part of the share, and drift elsewhere
   * that is not set back. A change of a commit elsewhere that has to wait is none of it: what needs it waits too.
   */
  get #excluded(): string[] {
    return this.facts.judged(this.shown.plan).flatMap(({ share, isOfCommit: isTheirs, mode, address }) => {
      const isLeft =
        share === this.share ? !this.#isMine(isTheirs) : mode !== "apply" && !(isTheirs && this.isCommit);
      return isLeft ? [address] : [];
    });
  }

  /** Whether a person has approved just this plan. */
  get isApproved(): boolean {
    return this.isAsked && this.share.asked?.type === "approve";
  }

  /** Problems of this share without a change: what is protected, for example, is not in the plan. */
  get isRefused(): boolean {
    const { view } = this.facts;
    return this.shown.missingConsents.some(
      ({ address }) => address !== undefined && holderOf(view.shares, address) === this.share,
    );
  }

  /** Whether anything forbids the plan of everything. */
  get isForbidden(): boolean {
    const { view, whole } = this.facts;
    return problemsOf(whole).length + view.refused.length > 0;
  }

  /** What forbids the plan of everything, as far as it concerns this share or none. */
  get objections(): Problem[] {
    const { view, whole } = this.facts;
    return [...problemsOf(whole), ...view.refused].filter(
      ({ address }) => address === undefined || holderOf(view.shares, address) === this.share,
    );
  }

  /** The plan of this part alone: what else differs stays as it is. */
  get own(): Proposal {
    const { facts } = this;
    return facts.isWhole ? facts.whole : facts.planned(this.#scope());
  }

  /** Whether its plan deletes something in another share. */
  get deletesElsewhere(): boolean {
    const { shares } = this.facts.view;
    const others = this.own.plan.actions.filter(({ address }) => holderOf(shares, address) !== this.share);
    return deletes({ actions: others });
  }

  /** Something that its plan changes although its rules forbid that. */
  get need(): { name: string; isDrift: boolean } | undefined {
    const found = this.facts
      .judged(this.own.plan)
      .find(
        ({ mode, share, isOfCommit: isTheirs, action }) =>
          mode !== "apply" &&
          !(share === this.share && shareOf(action.address).key === share.key && this.#isMine(isTheirs)),
      );
    if (!found) return undefined;
    const { address, action } = found;
    const { key, name } = shareOf(action.address);
    return { name: key === this.share.key ? address : name, isDrift: !found.isOfCommit };
  }

  /** The waves of a commit that come later. */
  get later(): LaterWaves | undefined {
    return this.isCommit ? laterWaves(this.share, this.actions, this.facts.view) : undefined;
  }

  /**
   * Drift that is left: fields that somebody else sets again and again, and changes without a consent. Restoring the past
   * needs what any loss needs. What a person has asked for does not wait for the other side.
   */
  get kept(): { fights: Fight[]; problems: Problem[] } {
    if (this.isCommit) return { fights: [], problems: [] };
    const { plan, refusal, missingConsents } = this.own;
    const { undone, now } = this.facts.view;
    const actions = plan.actions.filter(isChange);
    const addresses = new Set(plan.actions.map(({ address }) => formatAddress(address)));
    return {
      fights: this.isAsked ? [] : actions.flatMap((action) => fightOver(action, undone, now) ?? []),
      problems: refusal
        ? []
        : missingConsents.filter(({ code, address = "" }) => code !== "too_many" && addresses.has(address)),
    };
  }

  /** The addresses of what is left while the rest is done. */
  get left(): ReadonlySet<string> {
    const { fights, problems } = this.kept;
    const kept = [...fights, ...problems].map(({ address = "" }) => address);
    return new Set([...kept, ...(this.later?.left ?? [])]);
  }

  /** Whether something is left that other shares have. */
  get isLeftElsewhere(): boolean {
    const { shares } = this.facts.view;
    return [...this.left].some((address) => holderOf(shares, address) !== this.share);
  }

  /** The plan without what is left. */
  get rest(): Proposal {
    const { left } = this;
    return left.size === 0 ? this.own : this.facts.planned(this.#scope(left));
  }

  /** Whether something is left, and nothing remains to be done. */
  get isAllLeft(): boolean {
    const { left } = this;
    if (left.size === 0) return false;
    const isEach = this.actions.every(({ address }) => left.has(formatAddress(address)));
    return isEach || !hasChanges(this.rest.plan);
  }

  /** What forbids the rest. A cap that all permitted changes together exceed forbids every deletion. */
  get problems(): Problem[] {
    const { rest, facts } = this;
    const capped = deletes(rest.plan) ? facts.planned(permitted(facts)) : undefined;
    return [
      ...problemsOf(rest),
      ...refusedIn(rest.plan, facts.view),
      ...(capped?.missingConsents ?? []).filter(({ code }) => code === "too_many"),
    ];
  }

  #isMine(isCommit: boolean): boolean {
    return this.#isAll || isCommit === this.isCommit;
  }

  #scope(left: ReadonlySet<string> = new Set()): PlanTargets {
    return scopeOf([this.share], this.facts.view.shares, new Set([...this.#excluded, ...left]));
  }
}

/** Judges the changes of plans by the rules of their shares, each plan once. @param whole that of everything */
export function judgeOf(view: View, whole: Plan): VerdictFacts["judged"] {
  const known = new Map<Plan, readonly JudgedChange[]>();
  const changesOf = (plan: Plan) =>
    plan.actions.filter(isChange).map((action) => ({ action, share: holderOf(view.shares, action.address) }));
  const differences = Map.groupBy(changesOf(whole), ({ share }) => share);
  const isAsked = (share: ShareView) => {
    const actions = (differences.get(share) ?? []).map(({ action }) => action);
    return isAskedFor(share, whole, actions);
  };
  const modes = new Map<string, Mode>();
  const modeFor = ({ address }: Action, isCommit: boolean): Mode => {
    const { key, names } = shareOf(address);
    const part = `${isCommit} ${key}`;
    const share = view.shares.find((each) => each.key === key);
    const mode =
      modes.get(part) ??
      (share ? modeIn(share, isCommit, isAsked(share)) : modeOf(view.rulesOf(names), isCommit));
    modes.set(part, mode);
    return mode;
  };
  return (plan) => {
    const judged =
      known.get(plan) ??
      changesOf(plan).map(({ action, share }) => {
        const isCommit = isOfCommit(action);
        const address = formatAddress(action.address);
        return { action, address, share, isOfCommit: isCommit, mode: modeFor(action, isCommit) };
      });
    known.set(plan, judged);
    return judged;
  };
}

/** The scope of all that the rules permit. */
function permitted({ view, whole, isWhole, judged }: VerdictFacts): PlanTargets {
  if (isWhole) return everything;
  const forbidden = judged(whole.plan).filter(({ mode }) => mode !== "apply");
  return scopeOf(view.shares, view.shares, new Set(forbidden.map(({ address }) => address)));
}

/** Why a proposal cannot be carried out. */
export function problemsOf({ refusal, missingConsents }: Proposal): readonly Problem[] {
  return refusal?.problems ?? missingConsents;
}

/** Why the plan of a share was not approved. */
function refusedIn({ actions }: Plan, { refused }: View): Problem[] {
  const addresses = new Set(actions.map(({ address }) => formatAddress(address)));
  return refused.filter(({ address }) => address === undefined || addresses.has(address));
}
