import type { Stage } from "./stage.ts";

/**
 * How a server behaves where servers differ, by what stories have found. The emulator takes the same members, in the
 * member `server` of a profile; the engine uses those for which it has a choice.
 */
export type ServerHabits = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a story has found on a server. */
export interface Finding {
  result: "as assumed" | "differs" | "not known";
  /** What was seen, as a sentence without its first capital and its stop. */
  seen: string;
  server?: ServerHabits;
}

/** An assumption of the engine about the server, and how to check it. */
export interface Story {
  name: string;
  assumption: string;
  /** Why the engine relies on it. */
  reason: string;
  /** What the engine does on a server that is different, or would have to do. */
  otherwise: string;
  /** How many requests it sends at most. */
  requests: number;
  /** What it works in: nothing of its own (then it only reads), or the environment of the throwaway project. */
  needs: "nothing" | "environment";
  /** Whether it runs something, which may cost money. */
  costs?: true;
  check(stage: Stage): Promise<Finding>;
}

/** The finding that the server is as the engine assumes. */
export function asAssumed(seen: string, server?: ServerHabits): Finding {
  return { result: "as assumed", seen, ...(server && { server }) };
}

/** The finding that the server is different. */
export function differs(seen: string, server: ServerHabits = {}): Finding {
  return { result: "differs", seen, server };
}
