import type { Outcome, Report } from "../../core/execution/execute/index.ts";
import type { Action, Plan } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { Identity } from "../identity.ts";
import type { PersonRequest } from "../requests/index.ts";
import type { DocumentMarks } from "./causes.ts";
import type { Change } from "./changes.ts";
import type { Fight } from "./fights.ts";
import type { Standing } from "./standing.ts";
import type { ShareView } from "./view.ts";

/** An environment in which the commit is not applied yet. */
export interface WaitingEnvironment {
  /** `shop/production`, or a project. */
  environment: string;
  reason: string;
  changes: Change[];
}

/** The work of a cycle, by environment. */
export interface Divided {
  outcomes: readonly Outcome[];
  /** The environments in which the policy does not let the commit be applied. */
  waiting?: readonly WaitingEnvironment[];
  /** The fields that somebody else changes again and again. */
  fights?: readonly Fight[];
  /** Why not everything else was done. */
  stopped?: "incomplete" | "unaffordable" | "interrupted";
}

/** The end of a cycle. */
export type Finding =
  /** `unread`: how many environments have not been read yet. */
  | { type: "in_step"; resources: number; unread?: number }
  /** Live state differs from the commit that is applied. */
  | { type: "drift"; changes: Change[]; fights?: readonly Fight[] }
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
  /** The branch moved on, or somebody paused an environment, before the first write: the next cycle plans again. */
  | { type: "overtaken" }
  | { type: "interrupted" };

/** The outcome of an action of a person. */
export interface RequestOutcome {
  /** `shop/production`. */
  environment: string;
  type: PersonRequest["type"] | "rollback" | "on_failure";
  by: Identity;
  /** Whether it was done; otherwise there was nothing to do, something forbade it, or it has come to its end. */
  isCarriedOut: boolean;
  /** Of a rollback because of a failed deployment: to which commit. */
  commit?: string;
  /** Why nothing came of it, or why a rollback is done. */
  reasons?: readonly string[];
}

/** A plan that was carried out, and what became of it. */
export interface PlanOutcome {
  plan: Plan;
  report: Report;
}

/** What a cycle has found before it has carried anything out: the plan of everything, and the documents in force. */
export interface Look {
  actions: readonly Action[];
  shares: readonly ShareView[];
  documents: DocumentMarks;
}

/** The drift that a cycle has set back. */
export function setBackBy({ environments = [] }: Pick<CycleEnd, "environments">): Change[] {
  return environments.flatMap(({ setBack = [] }) => setBack);
}

/** The findings and the work of a cycle. */
export type CycleEnd = Finding & {
  /** The newest commit. */
  commit: string;
  /** Why the repository cannot be read: the commit is the last one that was. */
  repositoryFailure?: Error | undefined;
  /** The requests of the cycle. */
  spent: number;
  /** The state of each environment; absent if the cycle learned nothing new. */
  environments?: readonly Standing[];
  /** What restricts nothing; absent if the cycle learned nothing new. */
  idle?: readonly string[];
  /** The rules of the operator for many sources that restrict nothing in this one; absent if the cycle learned nothing new. */
  idleHere?: readonly string[];
  /** Absent if no commit is in force. */
  look?: Look;
  /** The plans that were carried out. */
  enacted?: readonly PlanOutcome[];
  /** The outcomes of people's actions. */
  answered?: readonly RequestOutcome[];
};
