import type { ServerHabits } from "../../core/api/index.ts";
import { isFields } from "../../core/json.ts";
import type { Problem } from "../../core/problem.ts";
import { nearest } from "../../core/schema/suggest.ts";
import type { SettingsFile } from "./file.ts";

/** The members of `server` in a settings file: those of the profile of a server for which a run has a choice. */
export const serverMembers = {
  list_delay_ms: {
    type: "integer",
    minimum: 0,
    maximum: 600_000,
    description:
      "Milliseconds until a list has what was created: a run waits so long before it creates it again.",
  },
  duplicate_names: {
    type: "boolean",
    description: "Two resources can get one name: a run reads the list before and after each creation.",
  },
  free_names_during_clone: {
    type: "boolean",
    description: "A clone takes its name when it is complete: the same as `duplicate_names`.",
  },
  forbidden_for_missing: {
    type: "boolean",
    description: "403 for what does not exist: a run takes a 403 of a read for a 404.",
  },
} as const;

type Member = keyof typeof serverMembers;

/** What a settings file says of the server. */
export function serverIn({ members }: SettingsFile): { server: ServerHabits; problems: Problem[] } {
  const stated = members.get("server");
  if (!stated) return { server: {}, problems: [] };
  const { value, position, positionOf } = stated;
  const problems: Problem[] = [];
  const wrong = (message: string, advice: string, at = position) =>
    problems.push({ code: "setting", message, advice, position: at });
  if (!isFields(value)) {
    wrong(
      "server must be a mapping",
      "write what infrasync probe has found: server: { forbidden_for_missing: true }",
    );
    return { server: {}, problems };
  }
  for (const [name, content] of Object.entries(value)) {
    const at = positionOf([name]);
    if (!Object.hasOwn(serverMembers, name)) {
      const near = nearest(name, Object.keys(serverMembers));
      wrong(
        `server has no member "${name}"`,
        near === undefined
          ? `the members are ${Object.keys(serverMembers).join(", ")}`
          : `did you mean ${near}?`,
        at,
      );
    } else if (name === "list_delay_ms") {
      const { maximum } = serverMembers.list_delay_ms;
      if (!Number.isInteger(content) || Number(content) < 0 || Number(content) > maximum)
        wrong(
          `server.${name} cannot be ${JSON.stringify(content)}`,
          `write milliseconds, from 0 to ${maximum}`,
          at,
        );
    } else if (typeof content !== "boolean")
      wrong(`server.${name} cannot be ${JSON.stringify(content)}`, "write true or false", at);
  }
  if (problems.length > 0) return { server: {}, problems };
  const {
    list_delay_ms: listDelay = 0,
    duplicate_names: hasTwins = false,
    free_names_during_clone: hasFreeNames = false,
    forbidden_for_missing: forbidsMissing = false,
  } = value as { [name in Member]?: name extends "list_delay_ms" ? number : boolean };
  return { server: { listDelay, hasFreeNames: hasTwins || hasFreeNames, forbidsMissing }, problems };
}
