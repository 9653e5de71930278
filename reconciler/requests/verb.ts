import type { Clock } from "../../core/api/index.ts";
import type { Person } from "../people/index.ts";
import type { reasonToHold, Share } from "../policy/index.ts";
import type { RequestTarget, RequestTargets } from "./request-target.ts";
import type { RequestOf, Requests } from "./requests.ts";
import type { UserAction } from "./user-action.ts";

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
  prepare(asked: RequestContext): PreparedUserAction;
  /** Of a request that waits for a cycle: whether it waits on, and why it is over otherwise. */
  lasts?(cycle: CycleOfRequest): boolean;
  over?: string;
}
