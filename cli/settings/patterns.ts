import { parsePattern, type Pattern } from "../../core/pattern.ts";
import { InvalidInputError, type Position, type Problem } from "../../core/problem.ts";

/** The pattern that a text is; none when it is wrong, which is among the problems then. */
export function readPattern(text: string, problems: Problem[], position?: Position): Pattern[] {
  try {
    return [parsePattern(text)];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    problems.push(...error.problems.map((problem) => ({ ...problem, ...(position && { position }) })));
    return [];
  }
}
