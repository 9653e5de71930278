import { formatReference, nameOf } from "../core/address.ts";
import type { Client, Clock } from "../core/api/index.ts";
import { isComplete, type Outcome, type Report } from "../core/apply/index.ts";
import { LiveStore } from "../core/live/index.ts";
import { findOrganization, type Organization } from "../core/organization.ts";
import { hasChanges, type Plan, type Policy } from "../core/plan/index.ts";
import type { Problem } from "../core/problem.ts";
import {
  enact,
  type Ending,
  propose,
  type Proposal,
  type Run,
  type RunSettings,
  startRun,
} from "../core/run/index.ts";
import { type Attribution, type Change, changesOf, deletes } from "./changes.ts";
import { sharesOf } from "./environments.ts";
import { type Fight, fightOver, withUndone } from "./fights.ts";
import type { Repository } from "./git/index.ts";
import { EventHints } from "./hints.ts";
import {
  environmentNames,
  modeOf,
  type OperatorRules,
  type Rules,
  rulesFor,
  withoutPruning,
} from "./policy/index.ts";
import { enactShares, type Shared, type Sharing, type Waiting } from "./shares.ts";
import type { CommitSource, LoadedCommit } from "./source.ts";
import { readState, type ReconcilerState, writeState } from "./state.ts";

/** What a reconciler works with. */
export interface ReconcilerSettings {
  client: Client;
  clock: Clock;
  repository: Repository;
  source: CommitSource;
  /** The file that keeps the last applied commit. */
  stateFile: string;
  /** The organization that is set: a name or an id. */
  organization: string | undefined;
  /** The policy for a commit, which its settings may tighten, and the problems of these settings. */
  policyFor(commit: LoadedCommit): { policy: Policy; problems: Problem[] };
  /** What the operator has set of the policy; default: nothing. */
  operator?: OperatorRules;
  run: Omit<RunSettings, "live" | "clock">;
  onQuota: "wait" | "fail";
  parallelism: number;
}

/** What was done by environment. */
interface Told {
  outcomes: readonly Outcome[];
  /** The environments in which the policy does not let the commit be applied. */
  waiting?: readonly Waiting[];
  /** What is set by somebody else again and again. */
  fights?: readonly Fight[];
  /** Why not everything else was tried. */
  stopped?: Shared["stopped"];
}

/** What a cycle has found and done. */
export type CycleEnd = {
  /** The newest commit. */
  commit: string;
  /** The requests of the cycle. */
  spent: number;
} & (
  | { type: "in_step"; resources: number }
  /** Live state differs from the commit that is applied. */
  | { type: "drift"; changes: Change[]; fights?: Fight[] }
  /** Live state differed from the commit that is applied; `changes`: what still differs. */
  | ({ type: "undone"; changes: Change[] } & Told)
  | { type: "applied"; report: Report }
  /** Not all changes could be made. */
  | { type: "incomplete"; report: Report }
  /** The manifests have mistakes. The last commit without mistakes stays in force; `changes`: what differs from it. */
  | ({ type: "invalid"; problems: readonly Problem[]; changes: Change[] } & Partial<Told>)
  /**
   * Something blocks a part of the commit: a mistake that live state shows, or a missing consent. The rest is applied.
   * `changes`: what differs from the commit in environments that it was applied to before.
   */
  | ({ type: "blocked"; problems: readonly Problem[]; changes: Change[] } & Told)
  /** The policy lets a part of the commit wait. The rest is applied. */
  | ({ type: "partly"; changes: Change[] } & Told)
  /** A commit that drops the applied one, and whose plan deletes. */
  | { type: "held"; applied: string; changes: Change[] }
  | { type: "unaffordable"; requests: number }
  /** The branch moved on before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" }
);

/** Compares the newest commit with live state, again and again. Live state and commits are kept between cycles. */
export class Reconciler {
  readonly #settings: ReconcilerSettings;
  readonly #live: LiveStore;
  readonly #hints: EventHints;
  #organization: Organization | undefined;
  /** Undefined: not read yet. */
  #state: ReconcilerState | undefined;
  /** The last commit without mistakes. */
  #inForce: LoadedCommit | undefined;

  constructor(settings: ReconcilerSettings) {
    this.#settings = settings;
    this.#live = new LiveStore(settings.clock);
    this.#hints = new EventHints(settings.clock);
  }

  /**
   * One cycle: reads the newest commit and what has changed on the server, plans, and carries out a new commit.
   *
   * @throws GitError, ApiError and the like: nothing may be concluded, and nothing was sent but what the message says
   */
  async cycle(): Promise<CycleEnd> {
    const { client, clock, run: settings, source } = this.#settings;
    const run = startRun(client, { ...settings, live: this.#live, clock });
    const commit = await source.newest();
    const { policy, problems } = this.#settings.policyFor(commit);
    const mistakes = [...commit.problems, ...problems];
    this.#state ??= await readState(this.#settings.stateFile);
    const end = (what: Unended<CycleEnd>): CycleEnd =>
      ({ commit: commit.commit, spent: run.client.spent.total, ...what }) as CycleEnd;
    if (mistakes.length === 0) this.#inForce = commit;
    else if (!this.#inForce) return end({ type: "invalid", problems: mistakes, changes: [] });
    const inForce = this.#inForce;
    const inForcePolicy = inForce === commit ? policy : this.#settings.policyFor(inForce).policy;

    this.#organization ??= await findOrganization(run.client, this.#settings.organization);
    await this.#hints.follow(run.client, this.#organization.id, this.#live);
    const now = clock.now();
    const rules = new Map<string, Rules>();
    const rulesOf = (names: readonly string[]) => {
      const key = formatReference(names);
      const known = rules.get(key) ?? rulesFor(names, inForce.policy, this.#settings.operator ?? {}, now);
      rules.set(key, known);
      return known;
    };
    const resources = withoutPruning(inForce.resources, rulesOf);
    const proposal = await propose(run, this.#organization, "reconcile", resources, inForcePolicy);
    const { plan } = proposal;
    const drift = () => this.#drift(plan, rulesOf);
    const sharing: Division = {
      run,
      organization: this.#organization,
      resources,
      policy: inForcePolicy,
      rulesOf,
      // What is overtaken is not applied, even if what has overtaken it has mistakes.
      enact: (each) => this.#ending(commit, run, each),
    };
    const isApplied = this.#state.applied?.tree === inForce.tree;
    if (mistakes.length > 0) {
      const shared = isApplied ? await this.#undo(inForce, sharing) : undefined;
      const found = shared ? { changes: shared.drift, ...told(shared) } : { changes: drift() };
      return end({ type: "invalid", problems: mistakes, ...found });
    }
    if (!proposal.refusal && !hasChanges(plan)) {
      await this.#remember(commit);
      return end({ type: "in_step", resources: plan.actions.length });
    }
    if (isApplied) {
      await this.#remember(commit);
      const shared = await this.#undo(commit, sharing);
      return end(shared ? endOf(shared, plan, true) : endOfDrift(drift(), plan));
    }
    const dropped = await this.#dropped(commit);
    if (dropped !== undefined && proposal.refusal)
      return end({ type: "blocked", problems: proposal.refusal.problems, outcomes: [], changes: [] });
    if (dropped !== undefined && deletes(plan))
      return end({ type: "held", applied: dropped, changes: changesOf(plan, "commit") });
    const isWhole = sharesOf(resources).every(({ names }) => modeOf(rulesOf(names), true) === "apply");
    const ending = isWhole ? await sharing.enact(proposal) : undefined;
    if (ending && ending.type !== "refused") return end(await this.#enact(commit, ending));
    // Which documents a target chooses is the decision of the operator, and not divided further.
    if (ending && inForcePolicy.targets.length > 0)
      return end({ type: "blocked", problems: ending.problems, outcomes: [], changes: [] });
    return end(await this.#share(commit, sharing, plan, ending?.problems ?? []));
  }

  /** Applies what can and may be applied of a commit that is not applied as a whole. */
  async #share(
    commit: LoadedCommit,
    sharing: Division,
    plan: Plan,
    whole: readonly Problem[],
  ): Promise<Unended<CycleEnd>> {
    const { partly } = this.#state ?? {};
    const before = new Set(partly?.tree === commit.tree ? partly.done : []);
    const shared = await this.#divide(commit, sharing, before);
    const { done, problems, stopped, waiting } = shared;
    if (done.size > before.size)
      await this.#keep({ partly: { commit: commit.commit, tree: commit.tree, done: [...done] } });
    const isDone = sharesOf(sharing.resources).every(({ key }) => done.has(key));
    if (isDone && stopped === undefined) await this.#remember(commit);
    const isUnexplained = !isDone && problems.length + waiting.length === 0;
    return endOf(isUnexplained ? { ...shared, problems: [...whole] } : shared, plan, false);
  }

  /** Undoes drift where the rules say so; undefined: nowhere. */
  async #undo(commit: LoadedCommit, sharing: Division): Promise<Shared | undefined> {
    const shares = sharesOf(sharing.resources);
    const isWanted = shares.some(({ names }) => modeOf(sharing.rulesOf(names), false) === "apply");
    if (!isWanted) return undefined;
    return this.#divide(commit, sharing, new Set(shares.map(({ key }) => key)));
  }

  #divide({ tree }: LoadedCommit, sharing: Division, done: ReadonlySet<string>): Promise<Shared> {
    const { clock } = this.#settings;
    const undone = () => (this.#state?.undone?.tree === tree ? this.#state.undone.fields : {});
    return enactShares({
      ...sharing,
      done,
      authorOf: this.#authorOf,
      fightOver: (action) => fightOver(action, undone(), clock.now()),
      onUndone: (actions) =>
        this.#keep({ undone: { tree, fields: withUndone(undone(), actions, clock.now()) } }),
    });
  }

  #drift({ actions }: Plan, rulesOf: Sharing["rulesOf"]): Change[] {
    const looked = actions.filter(
      ({ address }) => modeOf(rulesOf(environmentNames(address)), false) !== "off",
    );
    return changesOf({ actions: looked }, "drift", this.#authorOf);
  }

  readonly #authorOf: Attribution = (action) =>
    this.#hints.authorOf({
      ...("resourceId" in action && action.resourceId !== undefined && { id: action.resourceId }),
      name: nameOf(action.address),
      ...("id" in action.parent && { environmentId: action.parent.id }),
    });

  async #ending(commit: LoadedCommit, run: Run, proposal: Proposal): Promise<Ending> {
    const { repository, onQuota, parallelism } = this.#settings;
    return enact(proposal, run, {
      onQuota,
      apply: { parallelism },
      // Another reconciler, or a long plan: what has been overtaken is not applied.
      consent: async () => (await repository.newest()) === commit.commit,
    });
  }

  async #enact(
    commit: LoadedCommit,
    ending: Exclude<Ending, { type: "refused" }>,
  ): Promise<Unended<CycleEnd>> {
    switch (ending.type) {
      case "applied":
        if (!isComplete(ending.report)) return { type: "incomplete", report: ending.report };
        await this.#remember(commit);
        return { type: "applied", report: ending.report };
      case "unaffordable":
        return { type: "unaffordable", requests: ending.requests };
      case "declined":
        return { type: "overtaken" };
      case "interrupted":
        return { type: "interrupted" };
      case "unchanged":
        throw new Error("internal error: a plan with changes has ended as unchanged");
      default:
        return ending satisfies never;
    }
  }

  /** The applied commit, if the newest one does not come after it: the branch was rewritten. */
  async #dropped({ commit }: LoadedCommit): Promise<string | undefined> {
    const { applied, partly } = this.#state ?? {};
    for (const known of [applied?.commit, partly?.commit]) {
      if (known === undefined) continue;
      const isFollowed = await this.#settings.repository.isAncestor(known, commit);
      if (!isFollowed) return known;
    }
    return undefined;
  }

  async #remember({ commit, tree }: LoadedCommit): Promise<void> {
    if (this.#state?.applied?.commit === commit) return;
    // What was applied of earlier commits is of no use any more.
    const { partly: _partly, ...state } = this.#state ?? {};
    this.#state = state;
    await this.#keep({ applied: { commit, tree } });
  }

  async #keep(news: ReconcilerState): Promise<void> {
    this.#state = { ...this.#state, ...news };
    await writeState(this.#settings.stateFile, this.#state);
  }
}

/** What shares have in common with the whole. */
type Division = Pick<Sharing, "run" | "organization" | "resources" | "policy" | "rulesOf" | "enact">;

/** What is told of shares beside the reason of their end. */
function told({ outcomes, waiting, fights, stopped }: Shared): Told {
  return {
    outcomes,
    ...(waiting.length > 0 && { waiting }),
    ...(fights.length > 0 && { fights }),
    ...(stopped !== undefined && { stopped }),
  };
}

/** @param isApplied the commit had been applied, so that all changes are drift */
function endOf(shared: Shared, plan: Plan, isApplied: boolean): Unended<CycleEnd> {
  const { problems, outcomes, drift: changes, stopped, waiting, fights } = shared;
  if (stopped === "declined") return { type: "overtaken" };
  if (problems.length > 0) return { type: "blocked", problems, changes, ...told(shared) };
  if (isApplied && outcomes.length === 0 && stopped === undefined) return endOfDrift(changes, plan, fights);
  if (isApplied) return { type: "undone", changes, ...told(shared) };
  if (outcomes.length + waiting.length === 0 && stopped === undefined)
    return endOfDrift(changes, plan, fights);
  return { type: "partly", changes, ...told(shared) };
}

function endOfDrift(changes: Change[], plan: Plan, fights: Fight[] = []): Unended<CycleEnd> {
  return changes.length === 0
    ? { type: "in_step", resources: plan.actions.length }
    : { type: "drift", changes, ...(fights.length > 0 && { fights }) };
}

type Unended<End> = End extends CycleEnd ? Omit<End, "commit" | "spent"> : never;
