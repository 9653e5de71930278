import { Environment, EvaluationError, ParseError, TypeError as CelTypeError } from "@marcbachmann/cel-js";
import { type Fields, isFields, type Json } from "../../values/json.ts";
import { escapeControl, shorten } from "../../values/text.ts";
import { type ConditionInputs, askedIn } from "./condition-inputs.ts";
import { BudgetError, StepBudget } from "./budget.ts";
import { ConditionError } from "./condition-error.ts";
import { countedText, expressionsIn, registerCounted } from "./step-counter.ts";
import type { PolicyInput } from "./policy.ts";
import { readExpression } from "./regular-expression.ts";

/** The language of conditions, without counters. */
export const language = new Environment({
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

/** The steps for reading a character of a condition. */
const stepsToRead = 50;

const spending = { budget: new StepBudget() };

/** The language with functions that count steps; a condition with its counters is longer. */
const counting = registerCounted(
  language.clone({
    limits: { maxAstNodes: 10_000, maxDepth: 200, maxListElements: 500, maxMapEntries: 500 },
  }),
  spending,
);

export const conditionNames = "action, kind, address, name, names, before, after, changes, losses";

/**
 * Reads a condition in CEL, and checks its names and types.
 *
 * @param parameters the values of `with`
 * @param budget the steps for reading the conditions of a file
 * @returns the names in it, and a function that evaluates it for a change, which throws a ConditionError on failure
 * @throws ConditionError
 */
export function readCondition(
  text: string,
  parameters: Fields,
  budget: StepBudget,
): { asked: ConditionInputs; holds: (input: PolicyInput, budget: StepBudget) => boolean } {
  attempt(() => budget.evaluate(() => budget.spend(text.length * stepsToRead)));
  const condition = attempt(() => language.parse(text));
  const { valid, type, error } = condition.check();
  if (!valid) throw mistakeOf(error);
  if (type !== "bool" && type !== "dyn") throw new ConditionError(`it is a ${type}, not true or false`);
  for (const { args, start } of expressionsIn(condition.ast))
    attempt(() => budget.evaluate(() => readExpression(String(args), budget, start)));
  const counted = attempt(() => counting.parse(countedText(condition.ast)));
  const given = toCel(parameters);
  const holds = (input: PolicyInput, spent: StepBudget) => {
    const values = Object.fromEntries(
      Object.entries({ ...input }).map(([name, value]) => [name, toCel(value as Json)]),
    );
    const result: unknown = attempt(() => {
      spending.budget = spent;
      return spent.evaluate(() => counted({ ...values, with: given }));
    });
    if (typeof result === "boolean") return result;
    throw new ConditionError("the result is neither true nor false");
  };
  return { asked: askedIn(condition.ast), holds };
}

function attempt<Value>(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw mistakeOf(error);
  }
}

/** Any error during the evaluation is a failure of the condition: no change slips through. */
function mistakeOf(error: unknown): ConditionError {
  if (error instanceof ConditionError) return error;
  const isOfLanguage =
    error instanceof ParseError || error instanceof CelTypeError || error instanceof EvaluationError;
  const message = isOfLanguage ? error.summary : error instanceof BudgetError ? error.message : String(error);
  const offset = isOfLanguage ? error.range?.start : undefined;
  return new ConditionError(escapeControl(shorten(message, 200)), offset, { cause: error });
}

/** A value of the language, which distinguishes whole numbers from fractions. */
export function toCel(value: Json): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  return isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, toCel(inner)]))
    : value;
}
