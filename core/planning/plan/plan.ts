import type { Address } from "../../model/addresses/address.ts";
import type { LongLists, CacheUse } from "../../state/live/index.ts";
import type { Position, Problem } from "../../problems/problem.ts";
import type { Action, Goal, Note } from "./action.ts";
import { isChange } from "./action-types.ts";
import type { Whole } from "./planning.ts";
import type { Unread, UnmanagedState } from "./unmanaged-state.ts";
import type { WaveOf } from "./wave.ts";

/** The actions of a run, in a possible order. */
export interface Plan {
  goal: Goal;
  organization: { id: string; name?: string | undefined };
  actions: Action[];
  /** The reasons why the plan is forbidden. `approve` refuses a plan with any. */
  problems: Problem[];
  notes: Note[];
  /** What is set on the server and no document states, as far as it has been read. In no JSON beside its notes. */
  unmanaged?: readonly UnmanagedState[];
  /** What has not been read, so that something may be set there. */
  unread?: readonly Unread[];
  /** Whether what no document states is a difference too. In no JSON. */
  isStrict?: boolean;
  /** When it was made, by the clock of the server: milliseconds since 1970. */
  at: number;
  spent: number;
  /** How many of the lists of parts are known from earlier runs; absent: none. Not in a saved plan. */
  remembered?: CacheUse;
  /** The values of secrets that documents state in plain text, by their references. In no JSON and no saved plan. */
  secretValues?: ReadonlyMap<string, string>;
  /** The waves that the documents state. In no JSON and no saved plan. */
  waveOf?: WaveOf;
  /** The place where the documents state a field of a resource. In no JSON and no saved plan. */
  positionOf?(address: Address, path: readonly string[]): Position | undefined;
  /** Absent: all lists have one page. In no JSON and no saved plan. */
  longLists?: LongLists;
  /** The run that has made it carries it out: what it has just read need not be read again. */
  isForThisRun?: true;
  /** All that it does, about which `approve` asks the gate. Absent in a saved plan, which has to be planned again. In no JSON. */
  whole?(): Whole;
  /** The consents that people have given to just its actions. */
  consents?: readonly GivenConsent[];
}

/** A consent of a person to some actions of a plan. */
export interface GivenConsent {
  /** What it consents to, as remedies name it. */
  to: readonly string[];
  /** The addresses of the resources that it covers. */
  covers: ReadonlySet<string>;
}

/** Whether live state and the documents differ: in what an apply would change, or for a strict plan in what it leaves alone. */
export function hasDifferences(plan: Plan): boolean {
  return hasChanges(plan) || (plan.isStrict === true && (plan.unmanaged?.length ?? 0) > 0);
}

/** Whether carrying out the plan would change anything. */
export function hasChanges(plan: Plan): boolean {
  return plan.actions.some(isChange) || plan.whole?.().operation !== undefined;
}
