import type { Action } from "../../core/planning/plan/index.ts";
import type { Problem } from "../../core/problems/problem.ts";
import type { PlanOutcome } from "../carry-out/index.ts";
import type { CycleEffects, Digests, EnvironmentView, EnvironmentState, View } from "../decide/index.ts";
import type { EnvironmentServices } from "../view/index.ts";
import type { NewEntry } from "./entry.ts";

/** What a cycle has found before it has carried anything out: the plan of everything, and the documents in force. */
export interface CyclePlan {
  actions: readonly Action[];
  environments: readonly EnvironmentView[];
  documents: Digests;
}

/** What a cycle has found and done. */
export interface CycleResult {
  commit: string;
  /** The mistakes of its manifests: then the last commit without mistakes stays in force. */
  mistakes: readonly Problem[];
  /** Why not everything was done. */
  stopped?: CycleEffects["stopped"];
  /** Why the repository cannot be read: the commit is the last one that was. */
  repositoryFailure?: Error | undefined;
  spent: number;
  /** The state of each environment; absent if the cycle learned nothing new. */
  environments?: readonly EnvironmentState[];
  /** What runs in each environment as far as it was read, by the keys of the environments. */
  services?: ReadonlyMap<string, EnvironmentServices>;
  /** What restricts nothing; absent if the cycle learned nothing new. */
  idle?: readonly string[];
  /** The rules of the operator for many sources that restrict nothing in this one; absent if the cycle learned nothing new. */
  idleHere?: readonly string[];
  /** Absent if no commit is in force. */
  whole?: CyclePlan;
  enacted?: readonly PlanOutcome[];
  /** The requests of people that are over. */
  ended?: readonly Extract<NewEntry, { type: "ended" }>[];
}

/** The restrictions of a view that restrict nothing, as `CycleResult` has them. */
export function idleIn({ plans }: Pick<View, "plans">): Required<Pick<CycleResult, "idle" | "idleHere">> {
  const notes = [...plans.values()]
    .flatMap(({ plan }) => plan.notes)
    .filter(({ code }) => code === "idle_restriction");
  const messages = (isShared: boolean) => [
    ...new Set(notes.filter((note) => (note.isShared ?? false) === isShared).map(({ message }) => message)),
  ];
  return { idle: messages(false), idleHere: messages(true) };
}
