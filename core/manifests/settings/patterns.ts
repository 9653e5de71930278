import { parsePattern, type Pattern } from "../../model/addresses/pattern.ts";
import { parseScope, type Scope, type ScopeOrigin } from "../../model/addresses/scope.ts";
import { InvalidInputError, type Position, type Problem } from "../../problems/problem.ts";
import type { PlacedValue, EnvironmentSettings } from "../../source/environments.ts";
import { parseSecretChoice, type SecretChoice } from "../../model/addresses/secret-choice.ts";

/** The pattern of a person's choice; empty for a mistake, which is added to `problems`. */
export function readPattern(text: string, problems: Problem[]): Pattern[] {
  return read(() => parsePattern(text), problems);
}

/** The scope of a rule; empty for a mistake, which is added to `problems`. */
export function readScope(text: string, problems: Problem[], by: ScopeOrigin): Scope[] {
  return read(() => parseScope(text, by), problems, by.position);
}

/** The patterns of `protect` in a settings file; mistakes are added to `problems`. */
export function readProtect(
  { value, positionOf }: Pick<PlacedValue, "value" | "positionOf">,
  problems: Problem[],
): Scope[] {
  return (Array.isArray(value) ? value : [value]).flatMap((pattern, index) => {
    const position = positionOf(Array.isArray(value) ? [index] : []);
    if (typeof pattern === "string") return readScope(pattern, problems, { member: "protect", position });
    problems.push({ ...noPattern, position });
    return [];
  });
}

const noPattern: Problem = {
  code: "setting",
  message: "protect must be a list of patterns",
  advice: "write patterns such as shop/production or job:shop/staging/nightly-*",
};

/** The protected resources of the environments of a settings file; mistakes are added to `problems`. */
export function protectIn(environments: readonly EnvironmentSettings[], problems: Problem[]): Scope[] {
  return environments.flatMap(({ name, protect }) =>
    protect.flatMap(({ text, position }) =>
      readScope(text, problems, { position, member: `environments.${name}.protect` }),
    ),
  );
}

/** The chosen secrets; empty for a mistake, which is added to `problems`. */
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
