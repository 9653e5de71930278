import type { Rules, Share } from "../policy/index.ts";
import type { PersonRequest, Rollback } from "./requests.ts";

/** A plan as people are shown it. */
export interface PlanSummary {
  /** The digest of what differs, which an approval names. */
  digest: string;
  /** The names of what it loses for good, by addresses. */
  losing: ReadonlyMap<string, string>;
  /** What it does, for the audit. */
  text(): string;
}

/** What is known of a share, by the last cycle. */
export interface RequestTarget {
  /** Undefined: nothing differs. */
  plan?: PlanSummary | undefined;
  /** Undefined if no cycle has read them yet. */
  rules?: Rules | undefined;
  /** Whether something has to be mended or allowed there before anything is applied. */
  isBlocked: boolean;
  /** Whether a service has failed that the service would deploy again. */
  hasFailed: boolean;
  /** The commit that is applied there. */
  applied?: string | undefined;
  /** Those that were applied there, the newest first, with the ids of their folders of manifests. */
  commits: readonly { commit: string; tree: string }[];
  asked?: PersonRequest | undefined;
  rollback?: Rollback | undefined;
}

/** What people can ask for, by the last cycle. */
export interface RequestTargets {
  shares: readonly Share[];
  of(share: Share): RequestTarget;
  /** Resolves when the changes that are being made now are made; undefined if there are none. */
  underWay?: Promise<unknown> | undefined;
}
