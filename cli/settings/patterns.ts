import { parsePattern, type Pattern } from "../../core/pattern.ts";
import { InvalidInputError, type Position, type Problem } from "../../core/problem.ts";

/** The pattern of a text; an empty list when it is wrong, which is added to `problems`. */
export function readPattern(text: string, problems: Problem[], position?: Position): Pattern[] {
  try {
    return [parsePattern(text)];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    problems.push(...error.problems.map((problem) => ({ ...problem, ...(position && { position }) })));
    return [];
  }
}
