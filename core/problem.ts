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
  /** Where it stands. */
  position?: Position;
  /** The resource that it is about: `job:shop/staging/migrate`. */
  address?: string;
  /** The plan is complete, but its apply is refused: a consent is missing. */
  blocks?: "apply";
}

/** A problem of the input, or the failure of a run as a problem. */
export type AnyProblem = Problem<ProblemCode | ErrorCode>;

/** Input that cannot be carried out: nothing has been written. Carries every problem that was found. */
export class InvalidInputError extends Error {
  override readonly name = "InvalidInputError";
  /** `stale_plan`: a saved plan that was right once. `consent`: all is right, and more than was agreed to. */
  readonly code: "invalid_input" | "stale_plan" | "consent";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], code: InvalidInputError["code"] = "invalid_input") {
    super(problems.map((problem) => problem.message).join("\n"));
    this.code = code;
    this.problems = problems;
  }
}
