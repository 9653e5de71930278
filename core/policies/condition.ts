import { Environment, EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";
import { type Fields, isFields, type Json } from "../json.ts";
import { escapeControl, shorten } from "../text.ts";
import { ConditionError } from "./condition-error.ts";
import { type TimeLimit, TimeoutError } from "./time-limit.ts";
import type { PolicyInput } from "./policy.ts";

const language = new Environment({
  enableOptionalTypes: true,
  // A condition is a sentence, not a program: settings come with commits, and nothing in them may take long.
  limits: { maxAstNodes: 2000, maxDepth: 50, maxListElements: 500, maxMapEntries: 500 },
})
  .registerVariable("action", "string")
  .registerVariable("kind", "string")
  .registerVariable("address", "string")
  .registerVariable("name", "string")
  .registerVariable("names", "list<string>")
  .registerVariable("before", "map")
  .registerVariable("after", "map")
  .registerVariable("changes", "list<string>")
  .registerVariable("losses", "list<string>")
  .registerVariable("with", "map");

/** The names that a condition can use. */
export const conditionNames = "action, kind, address, name, names, before, after, changes, losses";

/**
 * Reads a condition in CEL, and checks its names and types.
 *
 * @param parameters the values of `with`
 * @param limit the time that it may take
 * @returns a function that says whether the condition is true for a change; it throws a ConditionError if the condition cannot be evaluated
 * @throws ConditionError
 */
export function readCondition(
  text: string,
  parameters: Fields,
  limit: TimeLimit,
): (input: PolicyInput) => boolean {
  const condition = attempt(() => language.parse(text));
  const { valid, type, error } = condition.check();
  if (!valid) throw mistakeOf(error);
  if (type !== "bool" && type !== "dyn") throw new ConditionError(`it is a ${type}, not true or false`);
  const given = toCel(parameters);
  return (input) => {
    const values = Object.fromEntries(
      Object.entries({ ...input }).map(([name, value]) => [name, toCel(value as Json)]),
    );
    const result: unknown = attempt(() => limit.evaluate(text, () => condition({ ...values, with: given })));
    if (typeof result === "boolean") return result;
    throw new ConditionError("the result is neither true nor false");
  };
}

function attempt<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw mistakeOf(error);
  }
}

/** Any error in the evaluation of a condition is a failure of the condition: no change slips through. */
function mistakeOf(error: unknown): ConditionError {
  const isOfLanguage =
    error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError;
  const message = isOfLanguage
    ? error.summary
    : error instanceof TimeoutError
      ? error.message
      : String(error);
  const offset = isOfLanguage ? error.range?.start : undefined;
  return new ConditionError(escapeControl(shorten(message, 200)), offset, { cause: error });
}

/** A value as the language has it: whole numbers are of another type than fractions. */
function toCel(value: Json): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, toCel(inner)]))
    : value;
}
