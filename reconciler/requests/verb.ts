import type { Clock } from "../../core/api/index.ts";
import type { Person } from "../people/index.ts";
import type { reasonToHold, Rules, Share } from "../policy/index.ts";
import type { PersonRequest, RequestOf, Requests, Rollback } from "./requests.ts";
import type { UserAction } from "./user-action.ts";

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
  requested?: PersonRequest | undefined;
  rollback?: Rollback | undefined;
}

/** What people can ask for, by the last cycle. */
export interface RequestTargets {
  shares: readonly Share[];
  of(share: Share): RequestTarget;
  /** Resolves when the changes that are being made now are made; undefined if there are none. */
  underWay?: Promise<unknown> | undefined;
}

/** What is known of a share when somebody asks for something there. */
export interface ShareHold {
  /** Undefined if no cycle has read them yet. */
  rules: Parameters<typeof reasonToHold>[0] | undefined;
  /** Whether nothing of it can be applied before something is mended or allowed. */
  isBlocked: boolean;
  /** An approval that waits there, and that the person may not end, because ending one needs the right to give one. */
  approval?: RequestOf<"approve"> | undefined;
}

/** A request that is allowed, and the answer to the person. */
export interface PreparedUserAction {
  detail?: string;
  act(): Promise<void>;
  message: string;
  /** Waits for what the message promises; gives what it has to add. */
  confirm?(): Promise<string>;
}

/** A request, and all that is known when it comes. */
export interface RequestContext {
  action: UserAction;
  person: Person;
  known(): RequestTargets;
  requests: Requests;
  clock: Clock;
  /** The shares that the request names. @throws UserActionError if it has an effect in none, or the person may not */
  addressed(): RequestScope;
}

/** The shares that a request names. */
export interface RequestScope {
  shares: readonly Share[];
  /** Those in which it has an effect. */
  free: readonly Share[];
  /** The words for some of them. */
  where(some: readonly Share[]): string;
  /** Where it has no effect, and why: ` Nothing is applied in shop/staging (paused …).` */
  but: string;
  /** What nothing is applied before the end of, and the approvals that the request ends. @param plan what it approves */
  later(some: readonly Share[], plan?: string): string;
  /** The approvals that the request ends, for the audit. */
  ended(some: readonly Share[], plan?: string): string;
}

/** What becomes of a request that waits for a cycle. */
export interface CycleOfRequest {
  /** Whether the differences are those that it is for. */
  isCovered: boolean;
  isApplying: boolean;
  /** Whether the server is still at work there. */
  isAtWork: boolean;
}

/** What a verb does: its words, its role and its members are in `verbs.ts`. */
export interface Verb {
  /** What its members can be in a share now; undefined: there is nothing to ask for. */
  offer(share: Share, known: RequestTarget): Readonly<Record<string, readonly string[]>> | undefined;
  /** Why it has no effect in a share now: the service refuses it for that reason, and the page has the reason in place of the button. */
  withoutEffect?(share: ShareHold): string | undefined;
  /** Checks a request, and says what it is going to do. @throws UserActionError */
  prepare(requested: RequestContext): PreparedUserAction;
  /** Of a request that waits for a cycle: whether it waits on, and why it is over otherwise. */
  lasts?(cycle: CycleOfRequest): boolean;
  over?: string;
}
