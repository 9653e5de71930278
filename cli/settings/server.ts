import type { ServerHabits } from "../../core/api/index.ts";
import type { Problem } from "../../core/problem.ts";
import { readServer } from "../../core/server-habits.ts";
import type { SettingsFile } from "./file.ts";

/** The description of the server in a settings file. */
export function serverIn({ members }: SettingsFile): { server: ServerHabits; problems: Problem[] } {
  const stated = members.get("server");
  if (!stated) return { server: {}, problems: [] };
  const { value, position, positionOf } = stated;
  const { server, mistakes } = readServer(value);
  const problems = mistakes.map(({ member, message, advice }): Problem => ({
    code: "setting",
    message,
    advice,
    position: member === undefined ? position : positionOf([member]),
  }));
  return { server, problems };
}
