import { type Address, formatAddress } from "../../core/model/addresses/address.ts";
import { type Action, type Answer, hasChanges, isChange, open } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Proposal } from "../../core/execution/session/index.ts";
import { type Mode, environmentOf } from "../policy/index.ts";
import { type ApprovedProposal, digestIn } from "./approvals.ts";
import { isOfCommit } from "./causes.ts";
import { deletes } from "./changes.ts";
import { type DriftLoop, driftLoopOver } from "./drift-loops.ts";
import { isRequestedFor, modeIn, type VerdictFacts } from "./judge.ts";
import { everything, holderOf, type PlanTargets, scopeOf, type EnvironmentView, type View } from "./view.ts";
import { type LaterWaves, laterWaves } from "./waves.ts";

/** The differences of an environment with one cause, commit or drift: each is decided by itself, some without its own plan. */
export interface Differences {
  facts: VerdictFacts;
  environment: EnvironmentView;
  /** Whether the differences follow from the commit, and are not drift. */
  isCommit: boolean;
  /** Whether these are all differences of the environment, because they are decided together. */
  isAll: boolean;
  actions: readonly Action[];
  isRequested: boolean;
  /** Whether a person has approved exactly this plan. */
  isApproved: boolean;
  mode: Mode;
  /** The plan that shows them: that of everything, or of the environment if that is refused. */
  shown: ApprovedProposal;
  /** The digest of all differences of the environment, which an approval names; undefined: nothing differs. */
  plan?: string | undefined;
  /** The problems of the environment in that plan, also where its rules delay all of it. */
  objections: readonly Problem[];
}

/** Differences, and the plan of them alone: other differences stay. */
export interface OwnPlan extends Differences {
  own: Proposal;
  /** A change of the plan that its rules forbid. */
  need: { name: string; isDrift: boolean } | undefined;
  /** Deferred drift, because somebody else sets the fields again and again. */
  driftLoops: readonly DriftLoop[];
  /** Deferred drift, because it lacks a consent. */
  unconsented: readonly Problem[];
  later: LaterWaves | undefined;
  left: ReadonlySet<string>;
}

/** Differences, and the plan without deferred changes. */
export interface Remainder extends OwnPlan {
  /** Whether all changes are deferred. */
  isEmpty: boolean;
  forbidden: readonly Problem[];
}

/** The differences by cause. Without known differences, there is one entry. */
export function differencesIn(environment: EnvironmentView, facts: VerdictFacts): Answer<Differences[]> {
  const { whole, view } = facts;
  if (!environment.isKnown) return [differences(facts, environment, !environment.isApplied, whole)];
  // A refused plan may lack changes that depend on the mistake.
  const shown = whole.refusal ? facts.planned(scopeOf([environment], view.environments)) : whole;
  if (shown === open) return open;
  if (shown.refusal) return [differences(facts, environment, !environment.isApplied, shown, true)];
  const causes = [true, false].map((isCommit) => differences(facts, environment, isCommit, shown));
  const found = causes.filter(({ actions }) => actions.length > 0);
  // An approval of all differences is not divided.
  if (found.length > 1 && causes.every(({ isApproved, mode }) => isApproved && mode === "apply"))
    return [differences(facts, environment, true, shown, true)];
  return found.length > 0 ? found : causes.filter(({ isCommit }) => isCommit !== environment.isApplied);
}

function differences(
  facts: VerdictFacts,
  environment: EnvironmentView,
  isCommit: boolean,
  shown: ApprovedProposal,
  isAll = false,
): Differences {
  const judged = facts.judged(shown.plan).filter((change) => change.environment === environment);
  const all = judged.map(({ action }) => action);
  const isRequested = isRequestedFor(environment, shown);
  return {
    facts,
    environment,
    isCommit,
    isAll,
    actions: all.filter((action) => isAll || isOfCommit(action) === isCommit),
    isRequested,
    isApproved: shown.approved.has(environment),
    mode: modeIn(environment, isCommit, isRequested),
    shown,
    plan: all.length > 0 ? digestIn(shown.plan, all) : undefined,
    objections: [...problemsOf(shown), ...facts.view.refused].filter((each) =>
      isIn(environment, facts, each),
    ),
  };
}

/** Adds the plan of the differences alone; open if that has to be made first. */
export function withOwnPlan(of: Differences): Answer<OwnPlan> {
  const { facts, environment, isCommit, isRequested, actions } = of;
  const { view } = facts;
  const own = facts.isWhole ? facts.whole : facts.planned(scopeWithout(of));
  if (own === open) return open;
  const later = isCommit ? laterWaves(environment, actions, view) : undefined;
  const addresses = addressesIn(own.plan);
  // Requested changes do not wait for the other side of a drift loop.
  const driftLoops =
    isCommit || isRequested
      ? []
      : own.plan.actions
          .filter(isChange)
          .flatMap((action) => driftLoopOver(action, view.undone, view.now) ?? []);
  // Reverting drift needs the same consents as any loss.
  const unconsented =
    isCommit || own.refusal
      ? []
      : own.missingConsents.filter(({ code, address = "" }) => code !== "too_many" && addresses.has(address));
  const left = [...driftLoops, ...unconsented].map(({ address = "" }) => address);
  return {
    ...of,
    own,
    need: needOf(of, own),
    driftLoops,
    unconsented,
    later,
    left: new Set([...left, ...(later?.left ?? [])]),
  };
}

function needOf({ facts, environment, ...of }: Differences, { plan }: Proposal): OwnPlan["need"] {
  const found = facts
    .judged(plan)
    .find(
      (change) =>
        change.mode !== "apply" &&
        !(
          change.environment === environment &&
          environmentOf(change.action.address).key === environment.key &&
          isAmong(of, change)
        ),
    );
  if (!found) return undefined;
  const { key, name } = environmentOf(found.action.address);
  return { name: key === environment.key ? found.address : name, isDrift: !found.isOfCommit };
}

/** Adds the plan without deferred changes; open if that has to be made first. */
export function withRemainder(of: OwnPlan): Answer<Remainder> {
  const { facts, own, left, actions } = of;
  const isEachLeft = left.size > 0 && actions.every(({ address }) => left.has(formatAddress(address)));
  if (isEachLeft) return { ...of, isEmpty: true, forbidden: [] };
  const rest = left.size === 0 ? own : facts.planned(scopeWithout(of, left));
  if (rest === open) return open;
  // If all permitted changes together exceed a cap, it forbids every deletion.
  const permitted = deletes(rest.plan) ? facts.planned(permittedScope(facts)) : undefined;
  if (permitted === open) return open;
  return {
    ...of,
    isEmpty: left.size > 0 && !hasChanges(rest.plan),
    forbidden: [
      ...problemsOf(rest),
      ...refusedIn(rest.plan, facts.view),
      ...(permitted?.missingConsents ?? []).filter(({ code }) => code === "too_many"),
    ],
  };
}

/** The scope of differences alone. Waiting changes of the commit elsewhere stay in scope, so that changes that need them wait too. */
function scopeWithout({ facts, shown, ...of }: Differences, left: Iterable<string> = []): PlanTargets {
  const excluded = facts.judged(shown.plan).flatMap((change) => {
    const stays =
      change.environment === of.environment
        ? !isAmong(of, change)
        : change.mode !== "apply" && !(change.isOfCommit && of.isCommit);
    return stays ? [change.address] : [];
  });
  return scopeOf([of.environment], facts.view.environments, new Set([...excluded, ...left]));
}

function permittedScope({ view, whole, isWhole, judged }: VerdictFacts): PlanTargets {
  if (isWhole) return everything;
  const forbidden = judged(whole.plan).filter(({ mode }) => mode !== "apply");
  return scopeOf(view.environments, view.environments, new Set(forbidden.map(({ address }) => address)));
}

function isAmong(
  { isAll, isCommit }: Pick<Differences, "isAll" | "isCommit">,
  { isOfCommit: isIts }: { isOfCommit: boolean },
): boolean {
  return isAll || isIts === isCommit;
}

/** The problems of the plan of everything in an environment, or in none. Of those elsewhere, it is only said that they are there. */
export function objectionsIn({ environment, facts }: Differences): Problem[] {
  const all = objectionsTo(facts);
  const its = all.filter((problem) => problem.address === undefined || isIn(environment, facts, problem));
  const elsewhere = "a problem in another environment forbids it";
  return its.length > 0 ? its : all.slice(0, 1).map(({ code }) => ({ code, message: elsewhere }));
}

/** The problems of the plan of everything. */
export function objectionsTo({ view, whole }: VerdictFacts): Problem[] {
  return [...problemsOf(whole), ...view.refused];
}

function isIn(environment: EnvironmentView, { view }: VerdictFacts, { address }: Problem): boolean {
  return address !== undefined && holderOf(view.environments, address) === environment;
}

export function deletesElsewhere({ own, environment, facts }: OwnPlan): boolean {
  const isElsewhere = (address: Address) => holderOf(facts.view.environments, address) !== environment;
  return deletes({ actions: own.plan.actions.filter(({ address }) => isElsewhere(address)) });
}

/** Whether a deferred change is in another environment. */
export function isLeftElsewhere({ left, environment, facts }: OwnPlan): boolean {
  return [...left].some((address) => holderOf(facts.view.environments, address) !== environment);
}

export function problemsOf({ refusal, missingConsents }: Proposal): readonly Problem[] {
  return refusal?.problems ?? missingConsents;
}

function refusedIn(plan: Proposal["plan"], { refused }: View): Problem[] {
  const addresses = addressesIn(plan);
  return refused.filter(({ address }) => address === undefined || addresses.has(address));
}

function addressesIn({ actions }: Proposal["plan"]): ReadonlySet<string> {
  return new Set(actions.map(({ address }) => formatAddress(address)));
}
