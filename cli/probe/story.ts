import type { Stage } from "./stage.ts";

/**
 * The behaviour of a server where servers differ, by the findings of stories. The emulator takes the same members, in the
 * member `server` of a profile; the engine uses those for which it has a choice.
 */
export type MeasuredBehaviour = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The finding of a story on a server. */
export interface StoryFinding {
  result: "as assumed" | "differs" | "not known";
  /** The observation, as a sentence without its first capital and its stop. */
  seen: string;
  server?: MeasuredBehaviour;
}

/** An assumption of the engine about the server, and how to check it. */
export interface AssumptionStory {
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
  check(stage: Stage): Promise<StoryFinding>;
}

/** The finding that the server is as the engine assumes. */
export function asAssumed(seen: string, server?: MeasuredBehaviour): StoryFinding {
  return { result: "as assumed", seen, ...(server && { server }) };
}

/** The finding that the server is different. */
export function differs(seen: string, server: MeasuredBehaviour = {}): StoryFinding {
  return { result: "differs", seen, server };
}
