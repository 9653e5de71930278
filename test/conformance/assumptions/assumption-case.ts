import type { Stage } from "./stage.ts";

/** The finding of a case on a server. */
export interface CaseFinding {
  result: "as assumed" | "differs" | "not known";
  /** The observation, as a sentence without its first capital and its stop. */
  seen: string;
}

/** An assumption of the engine about the server, and how to check it. */
export interface AssumptionCase {
  name: string;
  assumption: string;
  /** Why the engine relies on it. */
  reason: string;
  /** The reaction of the engine to a server that is different. */
  otherwise: string;
  /** How many requests it sends at most. */
  requests: number;
  /** The place of its work: nothing of its own (then it only reads), or the environment of the throwaway project. */
  needs: "nothing" | "environment";
  /** Whether it runs something, which may cost money. */
  costs?: true;
  /** Whether it needs a token of each single scope. */
  takesScopes?: true;
  check(stage: Stage): Promise<CaseFinding>;
}

/** The finding that the server is as the engine assumes. */
export function asAssumed(seen: string): CaseFinding {
  return { result: "as assumed", seen };
}

/** The finding that the server is different. */
export function differs(seen: string): CaseFinding {
  return { result: "differs", seen };
}
