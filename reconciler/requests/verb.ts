import type { Clock } from "../../core/api/index.ts";
import type { Person } from "../people/index.ts";
import type { Rules, Environment } from "../policy/index.ts";
import type { PersonRequest, RequestChange, Requests, Rollback } from "./requests.ts";
import type { UserAction } from "./user-action.ts";

/** The state of an environment after the last cycle. */
export interface RequestTarget {
  /** Undefined: nothing differs. `losing`: the names of what it loses for good, by addresses; `text`: for the audit. */
  plan?: { digest: string; losing: ReadonlyMap<string, string>; text(): string } | undefined;
  /** Why an approval of the plan has no effect; undefined: it has one. */
  unapprovable?: string | undefined;
  /** What an approved plan waits for; undefined: the next cycle carries it out. */
  delay?: string | undefined;
  /** With the pauses that hold now; undefined if no cycle has read them yet. */
  rules?: Rules | undefined;
  /** Whether something has to be mended or allowed there before anything is applied. */
  isBlocked: boolean;
  /** Whether a service has failed that the service would deploy again. */
  hasFailed: boolean;
  applied?: string | undefined;
  /** Those that were applied there, the newest first, with the ids of their folders of manifests. */
  commits: readonly { commit: string; tree: string }[];
  requested?: PersonRequest | undefined;
  rollback?: Rollback | undefined;
}

/** What people can ask for, by the last cycle. */
export interface RequestTargets {
  environments: readonly Environment[];
  of(environment: Environment): RequestTarget;
  /** Resolves when the changes that are being made now are made; undefined if there are none. */
  underWay?: Promise<unknown> | undefined;
}

/** What all verbs work with. */
export interface RequestTools {
  requests: Requests;
  clock: Clock;
  /** A line for each commit. @param now milliseconds since 1970 */
  linesOf(commits: readonly string[], now: number): Promise<string[]>;
}

export interface RequestContext extends RequestTools {
  action: UserAction;
  person: Person;
  known: RequestTargets;
  /** @throws UserActionError if it has no effect anywhere, or the person may not */
  addressed(): AddressedEnvironments;
}

/** The named environments, those in which a request has an effect, and a sentence about the others. */
export interface AddressedEnvironments extends Record<"environments" | "free", readonly Environment[]> {
  but: string;
  where(some: readonly Environment[]): string;
}

/** A request that is allowed: what it changes, and the answer to the person. */
export interface PreparedUserAction extends RequestChange {
  /** For the audit. */
  detail?: string;
  message: string;
  /** Waits for what the message promises; gives what it has to add. */
  confirm?(known: RequestTargets): Promise<string>;
}

/** What becomes of a request that waits for a cycle: whether the differences are its own, and who is at work. */
export type CycleOfRequest = Record<"isCovered" | "isApplying" | "isAtWork", boolean>;

/** What a verb does: its words, its role and its members are in `verbs.ts`. */
export interface Verb {
  /** What its members can be in an environment now; undefined: there is nothing to ask for. Absent: the page offers it beside each pause. */
  offer?(at: Environment, known: RequestTarget): Readonly<Record<string, readonly string[]>> | undefined;
  /** Why it has no effect in an environment now: the service refuses it for that reason, and the page has it in place of the button. */
  withoutEffect?(environment: Environment, known: RequestTarget, person: Person): string | undefined;
  /** What it waits for in an environment; default: the end of what holds the environment. */
  delay?(known: RequestTarget): string | undefined;
  /** Checks a request, and says what it is going to do. @throws UserActionError */
  prepare(requested: RequestContext): PreparedUserAction | Promise<PreparedUserAction>;
  /** Of a request that waits for a cycle: whether it waits on, and why it is over otherwise. */
  lasts?(cycle: CycleOfRequest): boolean;
  over?: string;
}
