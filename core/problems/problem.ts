import type { ErrorCode, ProblemCode } from "./codes.ts";
import type { Help } from "./remedy.ts";
import type { Message } from "./say.ts";

/** `infrasync.config.yaml:3`; undefined where there is no place. */
export function placeOf(position: Position | undefined): string | undefined {
  return position && `${position.file}:${position.line}`;
}

/** A place in a manifest. */
export interface Position {
  /** As the user named it; `-` for standard input. */
  file: string;
  /** Starts at 1. */
  line: number;
  /** Starts at 1, in characters. */
  column: number;
  text: string;
}

/** A mistake in the input of the user, or a reason to refuse a command. */
export interface Problem<Code extends string = ProblemCode> extends Help {
  code: Code;
  /** The mistake: facts, without a flag or a command of any front end. */
  message: string;
  /** The same as data, where front ends phrase a part of it otherwise. */
  said?: Message | undefined;
  /** The values that are not known yet, and on which it depends; absent: none. */
  unknown?: readonly (readonly string[])[];
  /** The text of the user that matches nothing: a front end may know its meaning. */
  unmatched?: string | undefined;
  position?: Position | undefined;
  /** The place of the rule that forbids it: `infrasync.config.yaml:3`. */
  rule?: string | undefined;
  /** The address of the resource: `job:shop/staging/migrate`. */
  address?: string | undefined;
  /** Of `omitted`: how many others are only counted. */
  others?: { count: number; isAtLeast: boolean } | undefined;
  /** The plan is complete, but its apply is refused: a consent is missing. */
  blocks?: "apply" | undefined;
}

/** A mistake in the input, or the failure of a run in the same form. */
export type AnyProblem = Problem<ProblemCode | ErrorCode>;

/** The most mistakes in one report. */
export const mostReported = 100;

/** The first of many mistakes, each once, and a last one that counts the others. Only for people: what a plan allows asks them all. */
export function firstProblems(all: readonly Problem[]): readonly Problem[] {
  // A file is read for each environment that has it.
  const problems = [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()];
  const left = problems.slice(mostReported);
  // One sentence in the place of another saves nothing.
  if (left.length <= 1) return problems;
  const others = {
    count: left.reduce((sum, problem) => sum + (problem.others?.count ?? 1), 0),
    isAtLeast: left.some((problem) => problem.others?.isAtLeast),
  };
  return [...problems.slice(0, mostReported), omitted(others, "")];
}

/** The problem that counts others. @param where ` in this file`; the empty text: everywhere */
export function omitted(others: NonNullable<Problem["others"]>, where: string): Problem {
  const count = `${others.isAtLeast ? "at least " : ""}${others.count.toLocaleString("en")}`;
  return { code: "omitted", message: `and ${count} more${where}`, advice: "fix those above first", others };
}

/** The input cannot be carried out, and nothing was written. `problems` has the first hundred mistakes, and counts the others. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  /** `stale_plan`: live state has changed since a saved plan. `consent`: the plan needs a consent that is missing. */
  readonly code: "invalid_input" | "stale_plan" | "not_approved";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], code: InvalidInputError["code"] = "invalid_input") {
    const reported = firstProblems(problems);
    super(reported.map((problem) => problem.message).join("\n"));
    this.code = code;
    this.problems = reported;
  }
}

/** The error of a single mistake. */
export function refusal(
  code: ProblemCode,
  message: string,
  advice?: string,
  unmatched?: string,
): InvalidInputError {
  return new InvalidInputError([{ code, message, advice, unmatched }]);
}
