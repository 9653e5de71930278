import type { Pattern } from "../pattern.ts";

/** How many resources a run may delete or replace. */
export interface DeletionCaps {
  /** In all. */
  count: number;
  /** Of the services of an environment that has ten or more, in percent. */
  percent: number;
}

/** What a plan may do, and with what. */
export interface Policy {
  /** Only these and what they need; empty: all. */
  targets: readonly Pattern[];
  /** Delete what no document describes, where the document of the environment allows it. */
  prune: boolean;
  /** What may be replaced. */
  allowReplace: readonly Pattern[];
  /** What is never deleted or replaced, whatever the documents say. */
  protect: readonly Pattern[];
  caps: DeletionCaps;
  /** Of which resources all secrets that are stated are written again. */
  rotateSecrets: readonly Pattern[];
  /** Also mention fields that are not stated and differ from their default. */
  strict: boolean;
  /** Also deploy what the plan makes or changes, and what is described and does not run as it is. */
  deploy?: boolean;
}

export const defaultCaps: DeletionCaps = { count: 10, percent: 30 };
