import type { Address } from "../../model/addresses/address.ts";
import type { LongLists, CacheUse } from "../../state/live/index.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import type { Action, Goal, Note } from "./action.ts";
import { isChange } from "./action-types.ts";
import type { Whole } from "./planning.ts";
import type { Unread, UnmanagedState } from "./unmanaged-state.ts";
import type { WaveOf } from "./wave.ts";

/** The actions of a run, in an executable order. */
export interface Plan {
  goal: Goal;
  organization: { id: string; name?: string | undefined };
  actions: Action[];
  /** The reasons why the plan is forbidden. `approve` refuses a plan with any. */
  problems: Problem[];
  notes: Note[];
  /** As far as it has been read. In no JSON beside its notes. */
  unmanaged?: readonly UnmanagedState[];
  /** Unread parts and contents, which may hold unmanaged state. */
  unread?: readonly Unread[];
  /** Whether unmanaged state counts as a difference. In no JSON. */
  isStrict?: boolean;
  /** When the plan was made, by the server's clock: milliseconds since 1970. */
  at: number;
  spent: number;
  /** The number of part lists from the cache; absent: none. Not in a saved plan. */
  cached?: CacheUse;
  /** The plain values of secrets in documents, by reference. In no JSON and no saved plan. */
  secretValues?: ReadonlyMap<string, string>;
  /** The declared waves. In no JSON and no saved plan. */
  waveOf?: WaveOf;
  /** The position in the documents where a field is declared. In no JSON and no saved plan. */
  positionOf?(address: Address, path: readonly string[]): Position | undefined;
  /** Absent: all lists have one page. In no JSON and no saved plan. */
  longLists?: LongLists;
  /** The run that made the plan executes it, so facts that it has just read are not read again. */
  isForThisRun?: true;
  /** All effects, about which `approve` asks the gate. Absent in a saved plan, which is planned again. In no JSON. */
  whole?(): Whole;
  /** The consents of people to exactly these actions. */
  consents?: readonly GivenConsent[];
}

/** A consent of a person to some actions of a plan. */
export interface GivenConsent {
  /** As remedies name it. */
  to: readonly string[];
  /** The addresses of the covered resources. */
  covers: ReadonlySet<string>;
}

/** Whether live state and documents differ: in changes of an apply, or for a strict plan also in unmanaged state. */
export function hasDifferences(plan: Plan): boolean {
  return hasChanges(plan) || (plan.isStrict === true && (plan.unmanaged?.length ?? 0) > 0);
}

/** Whether executing the plan would change anything. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(isChange) || plan.whole?.().operation !== undefined;
}
