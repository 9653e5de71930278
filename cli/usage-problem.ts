import type { CommanderError } from "commander";
import { CommandLineError } from "./command-line-error.ts";
import type { Problem } from "../core/problems/problem.ts";
import { isSlip, nearest } from "../core/model/schema/suggest.ts";
import { commandSuggestion, optionSuggestion } from "./suggestions.ts";

/**
 * The problem of a command line, taken from the parser's error: `error: unknown option '--prun'` and, on a line of its
 * own, `(Did you mean --prune?)` or `(For example: infrasync plan)`.
 */
export function usageProblem(error: CommanderError): Omit<Problem, "code"> {
  if (error.code === "commander.help")
    return {
      message: "a command is missing",
      advice:
        "infrasync init begins, validate checks manifests, plan shows what would change, apply does it, and status shows what runs; --help lists all commands",
    };
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
  const ofOtherTools =
    command === undefined
      ? optionSuggestion(message, error instanceof CommandLineError ? error.command : undefined)
      : commandSuggestion(command);
  const near = suggested(suggestion, /'([^']*)'$/.exec(message)?.[1]);
  const [, example] = /^\(For example: (.*)\)$/.exec(suggestion ?? "") ?? [];
  const [, owners] = /^\(Commands with it: (.*)\)$/m.exec(error.message) ?? [];
  if (owners !== undefined && !ofOtherTools && !near)
    return {
      message,
      advice: `${owners} ${owners.includes(",") ? "have" : "has"} it, and this command does not`,
    };
  const help = example === undefined ? "see --help" : `for example ${example}; --help has more`;
  return { message, advice: ofOtherTools ?? near ?? help };
}

/** Commands that delete, stop or cancel something: suggested only for a name with one letter too few or too many, or two swapped. */
const endsSomething = new Set(["destroy", "stop", "cancel"]);

/** The closest of the parser's suggestions, `(Did you mean one of apply, plan?)`. */
function suggested(suggestion = "", given = ""): string | undefined {
  const [, all] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion) ?? [];
  if (all === undefined) return undefined;
  const near = nearest(given, likelyFor(given, all.split(", ")));
  return near === undefined ? undefined : `did you mean ${near}?`;
}

/** The names of commands that may be suggested for a given one. */
export function likelyFor(given: string, names: readonly string[]): string[] {
  return names.filter((name) => !endsSomething.has(name) || isSlip(given, name));
}
