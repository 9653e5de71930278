import type { Clock } from "../../core/api/index.ts";
import type { PartsCache } from "../../core/state/live/index.ts";
import type { Proposal, RunSettings } from "../../core/execution/session/index.ts";
import type { Repository } from "../../adapters/git/index.ts";
import type { PlanTargets, View } from "../decide/index.ts";
import type { OperatorRules } from "../policy/index.ts";
import type { OtherSources } from "../sources/index.ts";
import type { RateBudget } from "../watch/index.ts";
import type { HealthSettings } from "./health.ts";
import type { CommitSettings } from "./in-force.ts";

export interface ViewSettings extends HealthSettings, CommitSettings {
  /** For windows, pauses, limits and records. */
  clock: Clock;
  /** Paces refreshes and requests; default: the same. */
  machine?: Clock;
  repository: Pick<Repository, "isAncestor">;
  /** The configured organization: a name or an id. */
  organization: string | undefined;
  /** The operator's part of the policy; default: none. */
  operator?: OperatorRules;
  rateBudget: RateBudget;
  /** The cached parts of an earlier process; default: none. */
  cache?: PartsCache | undefined;
  /** They learn of deletions before they are sent; default: there are none. */
  others?: OtherSources | undefined;
  run: Omit<RunSettings, "live" | "clock">;
  /** The name of this source in the events of the organization; default: none. */
  program?: string | undefined;
}

/** The view of a cycle, and a function that makes further plans of it. */
export interface Snapshot {
  view: View;
  plan(scope: PlanTargets): Promise<Proposal>;
  /** Whether some of it may be from the reads of others: no change relies on it. */
  isBorrowed: boolean;
}
