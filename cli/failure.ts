import { CommanderError } from "commander";
import { ApiError, ClientSettingsError, InterruptedError, isQuota } from "../core/api/index.ts";
import { withoutCredentials } from "../core/redaction/credential-forms.ts";
import { errorOutput } from "../core/outputs/forms/outputs.ts";
import { nearest, isSlip } from "../core/model/schema/suggest.ts";
import { InvalidInputError, type Problem } from "../core/problems/problem.ts";
import { ForgeError } from "../adapters/forge/index.ts";
import { GitError } from "../adapters/git/index.ts";
import type { Console } from "./terminal/console.ts";
import { CommandError, exitCodes, interruptionCode } from "./exit-codes.ts";
import type { ErrorCode } from "../core/problems/codes.ts";
import { problemsJson } from "./render/json.ts";
import { consentFlags, consentLine } from "./render/consent-flags.ts";
import { renderProblems } from "./render/problems.ts";
import { commandSuggestion, optionSuggestion } from "./suggestions.ts";
import { CommandLineError } from "./command-line-error.ts";

/** The error for a command that does not exist. */
export function unknownCommand(name: string, known: readonly string[]): CommandError {
  return new CommandError("usage", exitCodes.invalid, {
    message: `unknown command '${name}'`,
    advice: commandSuggestion(name) ?? suggested(name, known) ?? "see --help",
  });
}

/** Reports a failure on stderr or as the JSON document, and returns the exit code. */
export function report(error: unknown, console: Console): number {
  const { exitCode, problems, json } = failureOf(error, console);
  if (console.json) console.document(errorOutput(json));
  else console.note(renderProblems(problems, console.noteColors, console.noteWidth, console.typed));
  return exitCode;
}

/** The problems of a failure for people, its JSON document for programs, and its exit code. */
export function failureOf(error: unknown, console: Console) {
  const { code, exitCode, message, problems } = understand(error, console);
  const line = consentLine(problems, console.typed);
  const consent = line && {
    lifts: line.isAll ? ("all" as const) : ("a part" as const),
    command: line.command,
  };
  return {
    exitCode,
    problems,
    json: {
      error: { code, message: withoutCredentials(message) },
      problems: problemsJson(problems),
      ...(consent && { consent }),
    },
  };
}

/** A confirmation that is missing is no matter where the plan is forbidden whatever anybody answers. */
function withoutIdleAnswer(problems: readonly Problem[]): readonly Problem[] {
  const isForbidden = problems.some(
    (problem) => problem.code === "protected" && consentFlags([problem]).flags.length === 0,
  );
  return isForbidden ? problems.filter(({ code }) => code !== "confirmation") : problems;
}

function understand(error: unknown, console: Console) {
  const single = (code: ErrorCode, exitCode: number, problem: Omit<Problem, "code">) => ({
    code,
    exitCode,
    message: problem.message,
    problems: [{ code, ...problem }],
  });
  if (error instanceof CommandError) return { ...error, message: error.message };
  const { signal } = console.io;
  // After an interruption, any other error is only a consequence of it.
  if (signal.aborted || error instanceof InterruptedError) {
    return single("interrupted", interruptionCode(signal), {
      message: "interrupted",
      advice: "run the command again to continue",
    });
  }
  if (error instanceof InvalidInputError) {
    const problems = withoutIdleAnswer(error.problems);
    const message =
      problems.length === 1 && problems[0] ? problems[0].message : `${problems.length} problems were found`;
    return { code: error.code, exitCode: exitCodes.invalid, message, problems };
  }
  if (error instanceof CommanderError) return single("usage", exitCodes.invalid, usageProblem(error));
  if (error instanceof ClientSettingsError || error instanceof ApiError) {
    const { code, summary: message, remedies } = error;
    const advice =
      code === "unauthorized" ? `${error.advice}; the token is from ${tokenOrigin(console)}` : error.advice;
    return single(code, exitCodeFor(error), { message, advice, remedies });
  }
  if (error instanceof GitError || error instanceof ForgeError) {
    const { message, advice } = error;
    const code = error instanceof GitError ? "repository" : "git_host";
    return single(code, exitCodes.failed, { message, advice });
  }
  return single("failed", exitCodes.failed, unexpected(error));
}

/** Where the token of a run comes from. The path is not shown, because it may be the token itself. */
function tokenOrigin({ io: { env } }: Console): string {
  return env["INFRASYNC_TOKEN"] ? "INFRASYNC_TOKEN" : "the file that INFRASYNC_TOKEN_FILE names";
}

function exitCodeFor(error: ClientSettingsError | ApiError): number {
  if (error instanceof ClientSettingsError) return exitCodes.invalid;
  return isQuota(error) ? exitCodes.quota : exitCodes.failed;
}

function unexpected(error: unknown): Omit<Problem, "code"> {
  if (error instanceof Error && "syscall" in error)
    return { message: error.message, advice: "check the path, its permissions and the space on the disk" };
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    message: `internal error: ${what}`,
    advice: "please report this error together with the command line",
  };
}

/** The problem in the parser's error: `error: unknown option '--prun'`, and on another line `(Did you mean --prune?)`. */
function usageProblem(error: CommanderError): Omit<Problem, "code"> {
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
  const [isChoice, value = "", argument, choices = ""] = wrongChoice.exec(message) ?? [];
  if (isChoice) {
    const near = optionSuggestion(message, undefined) ?? suggested(value, choices.split(", "));
    const advice = near ?? `write one of: ${choices}`;
    return { message: `unknown ${argument} '${value}'`, advice };
  }
  const [, command] = /^unknown command '(.*)'$/s.exec(message) ?? [];
  const ofOtherTools =
    command === undefined
      ? optionSuggestion(message, error instanceof CommandLineError ? error.command : undefined)
      : commandSuggestion(command);
  const [, near] = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion ?? "") ?? [];
  const meant = suggested(/'([^']*)'$/.exec(message)?.[1] ?? "", near?.split(", "));
  const [, example] = /^\(For example: (.*)\)$/.exec(suggestion ?? "") ?? [];
  const [, owners] = /^\(Commands with it: (.*)\)$/m.exec(error.message) ?? [];
  if (owners !== undefined && !ofOtherTools && !meant)
    return {
      message,
      advice: `${owners} ${owners.includes(",") ? "have" : "has"} this flag, and this command does not`,
    };
  const help = example === undefined ? "see --help" : `for example ${example}; --help has more`;
  return { message, advice: ofOtherTools ?? meant ?? help };
}

/** The parser's words for an argument that is none of its choices. */
const wrongChoice =
  /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s;

/** Commands that delete, stop or cancel something: suggested only for a name with one letter too few or too many, or two swapped. */
const endsSomething = new Set(["destroy", "stop", "cancel"]);

/** The closest name; undefined: none is close. */
function suggested(given: string, names: readonly string[] = []): string | undefined {
  const near = nearest(
    given,
    names.filter((name) => !endsSomething.has(name) || isSlip(given, name)),
  );
  return near === undefined ? undefined : `did you mean ${near}?`;
}
