import { type AnyAddress, parseAnyAddress } from "../../core/address.ts";
import type { Clock } from "../../core/api/index.ts";
import { isComplete, isCompleteSoFar } from "../../core/execute/index.ts";
import { hasChanges, type Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { type Ending, propose, type Proposal } from "../../core/session/index.ts";
import { type Attribution, type Change, changesOf, deletes } from "./changes.ts";
import { droppedBy } from "../view/dropped.ts";
import { environmentNames, environmentOf, sharesOf } from "../policy/shares.ts";
import { fightOver, withUndone } from "./fights.ts";
import { divided, endOfDrift, endOfShares, type Finding, partlySoFar } from "./finding.ts";
import type { Repository } from "../../git/index.ts";
import type { Memory } from "../memory/memory.ts";
import { modeOf } from "../policy/index.ts";
import { enactShares, type Shared, type Sharing } from "./shares.ts";
import type { LoadedCommit } from "../view/commits.ts";

/** The newest commit, the one in force, and what the latter would change. */
export interface Compared {
  newest: LoadedCommit;
  inForce: LoadedCommit;
  /** Those of the newest commit. */
  mistakes: readonly Problem[];
  proposal: Proposal;
}

/** What shares have in common with the whole. */
export type Division = Pick<
  Sharing,
  "run" | "organization" | "resources" | "policy" | "rulesOf" | "limited" | "enact"
>;

/** Decides what becomes of the differences that a cycle has found, and carries it out. */
export class Settler {
  readonly #memory: Memory;
  readonly #repository: Pick<Repository, "isAncestor">;
  readonly #clock: Clock;
  readonly #authorOf: Attribution;

  constructor(
    memory: Memory,
    repository: Pick<Repository, "isAncestor">,
    clock: Clock,
    authorOf: Attribution,
  ) {
    this.#memory = memory;
    this.#repository = repository;
    this.#clock = clock;
    this.#authorOf = authorOf;
  }

  /** Carries out what the commit in force says, as far as it may be. */
  async settle({ newest, inForce, mistakes, proposal }: Compared, division: Division): Promise<Finding> {
    const { plan } = proposal;
    const { resources, rulesOf, policy } = division;
    const isApplied = this.#memory.isApplied(inForce);
    const drift = () => this.#drift(plan, rulesOf);
    // What live state forbids to plan is no difference, and must not look as if there were none.
    const refused = () =>
      (proposal.refusal?.problems ?? []).filter(({ address }) => isWatched(address, rulesOf));
    if (mistakes.length > 0) {
      const shared = isApplied ? await this.#undo(inForce, division) : undefined;
      const found = shared ? { changes: shared.drift, ...divided(shared) } : { changes: drift() };
      return { type: "invalid", problems: mistakes, ...found };
    }
    if (!proposal.refusal && !hasChanges(plan)) {
      await this.#memory.applied(newest);
      return { type: "in_step", resources: plan.actions.length };
    }
    if (isApplied) {
      await this.#memory.applied(newest);
      const ended = await this.#endExpired(newest, plan, division);
      if (ended) return ended;
      const shared = await this.#undo(newest, division);
      if (shared) return endOfShares(shared, plan, true);
      return refused().length > 0
        ? { type: "blocked", problems: refused(), outcomes: [], changes: drift() }
        : endOfDrift(drift(), plan);
    }
    const dropped = await droppedBy(newest, this.#memory.commits(), this.#repository);
    if (dropped !== undefined && proposal.refusal)
      return { type: "blocked", problems: proposal.refusal.problems, outcomes: [], changes: [] };
    if (dropped !== undefined && deletes(plan))
      return { type: "held", applied: dropped, changes: changesOf(plan, "commit") };
    const isWhole = sharesOf(resources).every(({ names }) => modeOf(rulesOf(names), true) === "apply");
    const ending = isWhole ? await division.enact(proposal) : undefined;
    if (ending && ending.type !== "refused") return this.#concluded(newest, ending);
    // Which documents a target chooses is the decision of the operator, and not divided further.
    if (ending && policy.targets.length > 0)
      return { type: "blocked", problems: ending.problems, outcomes: [], changes: [] };
    return this.#share(newest, division, plan, ending?.problems ?? []);
  }

  /** Applies what can and may be applied of a commit that is not applied as a whole. */
  async #share(
    commit: LoadedCommit,
    sharing: Division,
    plan: Plan,
    whole: readonly Problem[],
  ): Promise<Finding> {
    const before = this.#memory.doneOf(commit);
    const shared = await this.#divide(commit, sharing, before);
    const { done, problems, stopped, waiting } = shared;
    if (done.size > before.size) await this.#memory.appliedInPart(commit, done);
    const isDone = sharesOf(sharing.resources).every(({ key }) => done.has(key));
    if (isDone && stopped === undefined) await this.#memory.applied(commit);
    const isUnexplained = !isDone && problems.length + waiting.length === 0;
    return endOfShares(isUnexplained ? { ...shared, problems: [...whole] } : shared, plan, false);
  }

  /**
   * Deletes environments of an applied commit whose time is over, and nothing else; undefined: there are none. The commit
   * itself says when they end, so that counts as a change of the commit and not as drift.
   */
  async #endExpired(commit: LoadedCommit, plan: Plan, division: Division): Promise<Finding | undefined> {
    const { run, organization, resources, rulesOf, policy, limited, enact } = division;
    const over = new Set(
      plan.actions.flatMap((action) =>
        action.reason === "expired" && action.alongWith === undefined ? [environmentOf(action.address)] : [],
      ),
    );
    const shares = sharesOf(resources).filter(
      ({ names, name }) => over.has(name) && modeOf(rulesOf(names), true) === "apply",
    );
    if (shares.length === 0) return undefined;
    const scope = (address: AnyAddress) => shares.some(({ target }) => target.matches(address));
    const proposal = await propose(run, organization, "reconcile", resources, { ...policy, scope });
    const ending = await enact(limited(proposal));
    return ending.type === "refused"
      ? { type: "blocked", problems: ending.problems, outcomes: [], changes: this.#drift(plan, rulesOf) }
      : this.#concluded(commit, ending);
  }

  /** Undoes drift where the rules say so; undefined: nowhere. */
  async #undo(commit: LoadedCommit, sharing: Division): Promise<Shared | undefined> {
    const shares = sharesOf(sharing.resources);
    const isWanted = shares.some(({ names }) => modeOf(sharing.rulesOf(names), false) === "apply");
    if (!isWanted) return undefined;
    return this.#divide(commit, sharing, new Set(shares.map(({ key }) => key)));
  }

  #divide(commit: LoadedCommit, sharing: Division, done: ReadonlySet<string>): Promise<Shared> {
    const undone = () => this.#memory.undoneFor(commit);
    return enactShares({
      ...sharing,
      done,
      authorOf: this.#authorOf,
      fightOver: (action) => fightOver(action, undone(), this.#clock.now()),
      onUndone: (actions) => this.#memory.undone(commit, withUndone(undone(), actions, this.#clock.now())),
    });
  }

  #drift({ actions }: Plan, rulesOf: Sharing["rulesOf"]): Change[] {
    const looked = actions.filter(
      ({ address }) => modeOf(rulesOf(environmentNames(address)), false) !== "off",
    );
    return changesOf({ actions: looked }, "drift", this.#authorOf);
  }

  async #concluded(commit: LoadedCommit, ending: Exclude<Ending, { type: "refused" }>): Promise<Finding> {
    switch (ending.type) {
      case "applied":
        if (ending.report.goesOn && isCompleteSoFar(ending.report)) return partlySoFar(ending.report);
        if (!isComplete(ending.report)) return { type: "incomplete", report: ending.report };
        await this.#memory.applied(commit);
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
}

/** Whether the rules let anybody look at what a problem is about. */
function isWatched(address: string | undefined, rulesOf: Sharing["rulesOf"]): boolean {
  return (
    address === undefined || modeOf(rulesOf(environmentNames(parseAnyAddress(address))), false) !== "off"
  );
}
