import type { Clock } from "../../core/api/index.ts";
import type { PartsCache } from "../../core/state/live/index.ts";
import type { Proposal, RunSettings } from "../../core/execution/session/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import type { PlanTargets, View } from "../decide/index.ts";
import type { OperatorRules } from "../policy/index.ts";
import type { Claim, Conflict, Deleters } from "../sources/index.ts";
import type { RateBudget } from "../watch/index.ts";
import type { HealthSettings } from "./health.ts";
import type { CommitSettings } from "./in-force.ts";

/** The parts that a viewer needs. */
export interface ViewSettings extends HealthSettings, CommitSettings {
  /** By which windows, pauses and limits go, and what is remembered. */
  clock: Clock;
  /** By which looks and requests are paced; default: the same. */
  machine?: Clock;
  repository: Pick<Repository, "isAncestor">;
  /** The organization that is set: a name or an id. */
  organization: string | undefined;
  /** The operator's part of the policy; default: none. */
  operator?: OperatorRules;
  /** The folder with the pauses of people, which are read in each cycle; default: there are none. */
  pauses?: string;
  /** The allowance for looking. */
  allowance: RateBudget;
  /** The parts that an earlier process has read; default: none. */
  kept?: PartsCache | undefined;
  /** What other sources want; default: there are none. */
  claims?: SourceClaim | undefined;
  /** Which other source has deleted what; default: nobody knows. */
  deleters?: ((ids: readonly string[]) => ReturnType<Deleters["others"]>) | undefined;
  run: Omit<RunSettings, "live" | "clock">;
  /** The name of this source in the events of the organization; default: it has none of its own. */
  program?: string | undefined;
}

/** Says what this source wants, and learns what others want too. */
export interface SourceClaim {
  claim(claim: Claim, isForWrite?: boolean): Promise<readonly Conflict[]>;
  /** The others wait no longer for what this one wants. */
  looked(): void;
  /** Resolves when every other source has said so, or has had time for that. */
  settled(): Promise<void>;
}

/** The view of a cycle, and a function that makes further plans of it. */
export interface Snapshot {
  view: View;
  plan(scope: PlanTargets): Promise<Proposal>;
  /** Whether some of it may be what others have read: nothing is done because of it. */
  isBorrowed: boolean;
}
