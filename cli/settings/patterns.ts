import { parsePattern, type Pattern } from "../../core/pattern.ts";
import { InvalidInputError, type Position, type Problem } from "../../core/problem.ts";
import { parseSecretChoice, type SecretChoice } from "../../core/secret-choice.ts";

/** The pattern of a text; an empty list when it is wrong, which is added to `problems`. */
export function readPattern(text: string, problems: Problem[], position?: Position): Pattern[] {
  return read(() => parsePattern(text), problems, position);
}

/** The choice of secrets of a text; an empty list when it is wrong, which is added to `problems`. */
export function readSecretChoice(text: string, problems: Problem[]): SecretChoice[] {
  return read(() => parseSecretChoice(text), problems);
}

function read<Value>(parse: () => Value, problems: Problem[], position?: Position): Value[] {
  try {
    return [parse()];
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    problems.push(...error.problems.map((problem) => ({ ...problem, ...(position && { position }) })));
    return [];
  }
}
