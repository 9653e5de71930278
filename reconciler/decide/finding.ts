import type { Outcome, Report } from "../../core/execute/index.ts";
import { isChange, type Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import type { Change } from "./changes.ts";
import type { Fight } from "./fights.ts";
import { goingOn } from "../carry-out/left-work.ts";
import type { Shared, Waiting } from "./shares.ts";

/** What was done by environment. */
export interface Divided {
  outcomes: readonly Outcome[];
  /** The environments in which the policy does not let the commit be applied. */
  waiting?: readonly Waiting[];
  /** What is set by somebody else again and again. */
  fights?: readonly Fight[];
  /** Why not everything else was tried. */
  stopped?: Shared["stopped"];
}

/** How a cycle has ended. */
export type Finding =
  | { type: "in_step"; resources: number }
  /** Live state differs from the commit that is applied. */
  | { type: "drift"; changes: Change[]; fights?: Fight[] }
  /** Live state differed from the commit that is applied; `changes`: what still differs. */
  | ({ type: "undone"; changes: Change[] } & Divided)
  | { type: "applied"; report: Report }
  /** Not all changes could be made. */
  | { type: "incomplete"; report: Report }
  /** The manifests have mistakes. The last commit without mistakes stays in force; `changes`: what differs from it. */
  | ({ type: "invalid"; problems: readonly Problem[]; changes: Change[] } & Partial<Divided>)
  /**
   * Something blocks a part of the commit: a mistake that live state shows, or a missing consent. The rest is applied.
   * `changes`: what differs from the commit in environments that it was applied to before.
   */
  | ({ type: "blocked"; problems: readonly Problem[]; changes: Change[] } & Divided)
  /** The policy lets a part of the commit wait. The rest is applied. */
  | ({ type: "partly"; changes: Change[] } & Divided)
  /** A commit that drops the applied one, and whose plan deletes. */
  | { type: "held"; applied: string; changes: Change[] }
  | { type: "unaffordable"; requests: number }
  /** The branch moved on before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" };

/** What is told of shares beside the reason of their end. */
export function divided({ outcomes, waiting, fights, stopped }: Shared): Divided {
  return {
    outcomes,
    ...(waiting.length > 0 && { waiting }),
    ...(fights.length > 0 && { fights }),
    ...(stopped !== undefined && { stopped }),
  };
}

/** The end of a cycle that has applied all but what the server is still at work on. */
export function partlySoFar(report: Report): Finding {
  const outcomes = report.outcomes.filter(isChange);
  return { type: "partly", changes: [], outcomes, waiting: goingOn(report) };
}

/**
 * The end of a cycle that has applied by environment.
 *
 * @param isApplied the commit had been applied, so that all changes are drift
 */
export function endOfShares(shared: Shared, plan: Plan, isApplied: boolean): Finding {
  const { problems, outcomes, drift: changes, stopped, waiting, fights } = shared;
  if (stopped === "declined") return { type: "overtaken" };
  if (problems.length > 0) return { type: "blocked", problems, changes, ...divided(shared) };
  if (isApplied && outcomes.length === 0 && stopped === undefined) return endOfDrift(changes, plan, fights);
  if (isApplied) return { type: "undone", changes, ...divided(shared) };
  if (outcomes.length + waiting.length === 0 && stopped === undefined)
    return endOfDrift(changes, plan, fights);
  return { type: "partly", changes, ...divided(shared) };
}

/** The end of a cycle that has changed nothing where the commit is applied. */
export function endOfDrift(changes: Change[], plan: Plan, fights: Fight[] = []): Finding {
  return changes.length === 0
    ? { type: "in_step", resources: plan.actions.length }
    : { type: "drift", changes, ...(fights.length > 0 && { fights }) };
}
