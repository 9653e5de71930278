import type { CommanderError } from "commander";
import type { Problem } from "../core/problem.ts";
import { commandHabit, optionHabits } from "./habits.ts";

/**
 * The problem of a command line, taken from the parser's error: `error: unknown option '--prun'` and, on a line of its
 * own, `(Did you mean --prune?)` or `(For example: infrasync plan)`.
 */
export function usageProblem(error: CommanderError): Omit<Problem, "code"> {
  if (error.code === "commander.help")
    return { message: "a command is missing", advice: "infrasync plan shows what would change" };
  const [given = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  // The value of an unknown flag is not shown, because it may be a secret.
  const message = given.replace(/^(unknown option '[^=]*)=.*'$/, "$1'");
  if (/^unknown option '--?token'$/.test(message)) {
    return {
      message: "the token cannot be a flag, because other users could read it in the list of processes",
      advice: "set INFRASYNC_TOKEN, or INFRASYNC_TOKEN_FILE to a file that contains the token",
    };
  }
  const [, command] = /^unknown command '(.*)'$/s.exec(message) ?? [];
  const habit =
    command === undefined
      ? optionHabits.find(([complaint]) => complaint.test(message))?.[1]
      : commandHabit(command);
  const near = suggested(suggestion);
  const [, example] = /^\(For example: (.*)\)$/.exec(suggestion ?? "") ?? [];
  const help = example === undefined ? "see --help" : `for example ${example}; --help has more`;
  return { message, advice: habit ?? near ?? help };
}

/** Commands that suggestions for a misspelt name leave out, because they delete, stop or cancel something. */
const endsSomething = new Set(["destroy", "stop", "cancel"]);

/**
 * The parser's suggestion, `(Did you mean one of apply, destroy?)`, without commands that delete, stop or cancel
 * something.
 */
function suggested(suggestion = ""): string | undefined {
  const [, all = ""] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion) ?? [];
  const harmless = harmlessOf(all.split(", ").filter((one) => one !== ""));
  if (harmless.length === 0) return undefined;
  return `did you mean ${harmless.length > 1 ? "one of " : ""}${harmless.join(", ")}?`;
}

/** The names of commands that may be suggested. */
export function harmlessOf(names: readonly string[]): string[] {
  return names.filter((name) => !endsSomething.has(name));
}
