import type { ServerHabits } from "./api/index.ts";
import { isFields, type Json } from "./json.ts";
import { nearest } from "./schema/suggest.ts";

/** The members of a server's profile that change how a run works. */
export const serverMembers = {
  list_delay_ms: {
    type: "integer",
    minimum: 0,
    maximum: 600_000,
    description:
      "Milliseconds until lists show a new resource: a run waits that long before it repeats a creation.",
  },
  duplicate_names: {
    type: "boolean",
    description: "Two resources can get the same name: a run reads the list before and after each creation.",
  },
  free_names_during_clone: {
    type: "boolean",
    description: "A clone takes its name when it is complete: the same as `duplicate_names`.",
  },
  forbidden_for_missing: {
    type: "boolean",
    description: "The server answers 403 for a missing resource: a run treats a 403 of a read as a 404.",
  },
} as const;

type Member = keyof typeof serverMembers;

/** A mistake in the description of a server. */
export interface ServerMistake {
  /** Absent if the whole description is wrong. */
  member?: string;
  message: string;
  advice: string;
}

/** Reads the description of a server; with a mistake, none of its members applies. */
export function readServer(value: Json | undefined): { server: ServerHabits; mistakes: ServerMistake[] } {
  if (!isFields(value)) {
    const message = "server must be a mapping";
    const advice = "write what infrasync probe has found: server: { forbidden_for_missing: true }";
    return { server: {}, mistakes: [{ message, advice }] };
  }
  const mistakes = Object.entries(value).flatMap(([name, content]) => mistakeIn(name, content) ?? []);
  if (mistakes.length > 0) return { server: {}, mistakes };
  const {
    list_delay_ms: listDelay = 0,
    duplicate_names: hasTwins = false,
    free_names_during_clone: hasFreeNames = false,
    forbidden_for_missing: forbidsMissing = false,
  } = value as { [name in Member]?: name extends "list_delay_ms" ? number : boolean };
  return { server: { listDelay, hasFreeNames: hasTwins || hasFreeNames, forbidsMissing }, mistakes };
}

function mistakeIn(member: string, content: Json): ServerMistake | undefined {
  if (!Object.hasOwn(serverMembers, member)) {
    const near = nearest(member, Object.keys(serverMembers));
    const advice =
      near === undefined
        ? `the members are ${Object.keys(serverMembers).join(", ")}`
        : `did you mean ${near}?`;
    return { member, message: `server has no member "${member}"`, advice };
  }
  const message = `server.${member} cannot be ${JSON.stringify(content)}`;
  if (member !== "list_delay_ms")
    return typeof content === "boolean" ? undefined : { member, message, advice: "write true or false" };
  const { maximum } = serverMembers.list_delay_ms;
  return Number.isInteger(content) && Number(content) >= 0 && Number(content) <= maximum
    ? undefined
    : { member, message, advice: `write milliseconds, from 0 to ${maximum}` };
}
