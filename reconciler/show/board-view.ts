import type { Budget, Wait } from "../../core/api/index.ts";
import type { AllowanceView } from "../watch/index.ts";
import type { KeptPreview } from "../previews/index.ts";
import type { Change, PersonRequest, Standing } from "../decide/index.ts";

/** The state of an environment, and since when. */
export interface EnvironmentView extends Omit<Standing, "problems" | "undone" | "setBack"> {
  /** Milliseconds since 1970. */
  since: number;
  /** A request of a person that still waits. */
  asked?: PersonRequest | undefined;
  /** Why it is not in step, with what would help. */
  reasons: readonly string[];
  /** The drift that was set back last, and when, in milliseconds since 1970. */
  setBack?: { at: number; changes: readonly Change[] };
}

/** A preview, and since when it stands so. */
export interface PreviewView extends KeptPreview {
  /** Milliseconds since 1970. */
  since: number;
}

/** The present activity of the loop. */
export type Activity =
  | { type: "starting" | "checking"; since: number }
  | { type: "applying"; since: number; changes: number }
  /** A request waits. */
  | { type: "waiting"; since: number; until: number; reason: Wait["reason"] }
  | { type: "idle"; since: number; until: number };

/** The state of a source. Times are in milliseconds since 1970. */
export interface BoardStanding {
  now: number;
  /** The newest commit. */
  commit?: string | undefined;
  /** Whether the newest commit has mistakes, so that the last one without mistakes stays applied. */
  isNotApplied: boolean;
  /** When live state was compared with it for the last time. */
  checkedAt?: number | undefined;
  /** From then on the state is older than it should be. */
  staleAt: number;
  activity: Activity;
  /** The worst first. */
  environments: readonly EnvironmentView[];
  /** The worst first. */
  previews: readonly PreviewView[];
  /** Why the last look at pull requests has failed. */
  previewFailure?: { reason: string; since: number } | undefined;
  /** Problems of the commit as a whole. */
  problems: readonly string[];
  /** Statements of files that restrict nothing. */
  idle: readonly string[];
  /** The rules of the operator for many sources that restrict nothing in this one; undefined before the first look. */
  idleHere?: readonly string[];
  /** Cycles that have failed in a row, and why the last one did. */
  failure?: { code: string; reason: string; since: number; failures: number } | undefined;
  /** Why the repository could not be read between two cycles, until it can be again. */
  unread?: { reason: string; since: number } | undefined;
}

/** Everything that pages show of a service. */
export interface BoardView extends BoardStanding {
  source: WatchedSource;
  budget: Budget;
  /** The requests that this service has sent in the last hour. */
  spentInHour: number;
  /** How many will be left at this pace when the quota is reset. */
  forecast?: number | undefined;
  /** The allowance; absent while the quota is not known. */
  allowance?: AllowanceView | undefined;
  /** Milliseconds by which the clock of this machine is ahead of that of the server. */
  clockAhead: number;
}

/** The repository and the organization that are kept in step. */
export interface WatchedSource {
  /** Where a service has many: its name, and whose it is. */
  name?: string | undefined;
  team?: string | undefined;
  repository: string;
  branch: string;
  /** Empty: the whole repository. */
  path: string;
}
