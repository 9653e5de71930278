import { RE2JS, RE2JSException } from "re2js";
import { ConditionError } from "./condition-error.ts";
import type { StepBudget } from "./budget.ts";

/** The most instructions of a regular expression: repetitions are unrolled. */
const mostInstructions = 20_000;

/** Regular expressions that have been read: a condition uses the same one for every change. */
const known = new Map<string, RE2JS>();

/** Reads an expression for RE2, whose time grows only linearly with a text. @throws ConditionError for RE2's limits */
export function readExpression(expression: string, budget: StepBudget, offset?: number): RE2JS {
  const read = known.get(expression);
  if (read) return read;
  const size = instructionsOf(expression);
  if (size > mostInstructions)
    throw new ConditionError(`the regular expression ${shown(expression)} is too large`, offset);
  budget.spend(size);
  try {
    const compiled = RE2JS.compile(expression);
    if (known.size >= 1_000) known.clear();
    known.set(expression, compiled);
    return compiled;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, "");
    throw new ConditionError(
      `the regular expression ${shown(expression)} cannot be run in linear time, by RE2: ${reason}`,
      offset,
    );
  }
}

export function matches(text: string, expression: string, budget: StepBudget): boolean {
  budget.spend(expression.length);
  const compiled = readExpression(expression, budget);
  // Fifty instructions of RE2 take the time of one step.
  budget.spend(Math.ceil((text.length * compiled.programSize()) / 50));
  return compiled.test(text);
}

/** An upper bound: RE2 refuses nested repetitions of more than 1,000 together. */
function instructionsOf(expression: string): number {
  const repetitions = [...expression.matchAll(/\d+(?=\})/g)].map(([count]) => Math.max(1, Number(count)));
  return (
    expression.length *
    Math.min(
      1_000,
      repetitions.reduce((product, count) => product * count, 1),
    )
  );
}

const shown = (expression: string) => JSON.stringify(expression.slice(0, 60));
