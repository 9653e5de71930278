import { parsePattern, type Pattern, type StatedBy } from "../../core/pattern.ts";
import { InvalidInputError, type Position, type Problem } from "../../core/problem.ts";
import { parseSecretChoice, type SecretChoice } from "../../core/secret-choice.ts";

/**
 * The pattern of a text; an empty list when it is wrong, which is added to `problems`.
 *
 * @param by the statement of a file that restricts runs with it; absent: a person chooses with it
 */
export function readPattern(text: string, problems: Problem[], by?: StatedBy): Pattern[] {
  return read(() => parsePattern(text, by), problems, by?.position);
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
