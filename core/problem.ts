import type { ErrorCode, ProblemCode } from "./codes.ts";
import type { Help } from "./remedy.ts";

/** A place in a manifest. */
export interface Position {
  /** As the user named it; `-` for standard input. */
  file: string;
  /** Starts at 1. */
  line: number;
  /** Starts at 1, in characters. */
  column: number;
  /** The text of that line. */
  text: string;
}

/** A mistake in the input of the user, or a reason to refuse a command. */
export interface Problem<Code extends string = ProblemCode> extends Help {
  code: Code;
  /** The mistake: facts, without a flag or a command of any front end. */
  message: string;
  /** The place of the mistake. */
  position?: Position;
  /** The address of the resource: `job:shop/staging/migrate`. */
  address?: string;
  /** The plan is complete, but its apply is refused: a consent is missing. */
  blocks?: "apply";
}

/** A mistake in the input, or the failure of a run in the same form. */
export type AnyProblem = Problem<ProblemCode | ErrorCode>;

/** The input cannot be carried out, and nothing was written. `problems` has every mistake that was found. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  /** `stale_plan`: live state has changed since a saved plan. `consent`: the plan needs a consent that is missing. */
  readonly code: "invalid_input" | "stale_plan" | "consent";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], code: InvalidInputError["code"] = "invalid_input") {
    super(problems.map((problem) => problem.message).join("\n"));
    this.code = code;
    this.problems = problems;
  }
}
