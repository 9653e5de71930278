import {
  Environment,
  EvaluationError,
  ParseError,
  TypeError as CelTypeError,
  type ASTNode,
} from "@marcbachmann/cel-js";
import { type Fields, isFields, type Json, mapValues } from "../../values/json.ts";
import { escapeControl, shorten } from "../../values/text.ts";
import { BudgetError, StepBudget } from "./budget.ts";
import { ConditionError } from "./condition-error.ts";
import { countedText, expressionsIn, registerCounted, partsOf } from "./step-counter.ts";
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

/** Reads a condition in CEL: its names, and a function that evaluates it for a change. @throws ConditionError, both */
export function readCondition(
  text: string,
  parameters: Fields,
  budget: StepBudget,
): { requested: ConditionInputs; holds: (input: PolicyInput, budget: StepBudget) => boolean } {
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
    const values = mapValues<Json, unknown>({ ...input } as unknown as Fields, toCel);
    const result: unknown = attempt(() => {
      spending.budget = spent;
      return spent.evaluate(() => counted({ ...values, with: given }));
    });
    if (typeof result === "boolean") return result;
    throw new ConditionError("the result is neither true nor false");
  };
  return { requested: requestedIn(condition.ast), holds };
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
  return isFields(value) ? mapValues(value, toCel) : value;
}

/** The names in a condition, with their positions. */
interface ConditionInputs {
  /** `["source", "image", "tag"]` of `after.source.image.tag`, up to the first other expression. */
  fields: { path: string[]; text: string; start: number }[];
  kinds: { text: string; start: number }[];
}

/** The fields of a change that a condition reads, and the kinds in it. */
function requestedIn(node: ASTNode): ConditionInputs {
  const field = fieldAt(node);
  const inner = partsOf(node).map(requestedIn);
  return {
    fields: field ? [field] : inner.flatMap(({ fields }) => fields),
    kinds: [...kindsAt(node), ...inner.flatMap(({ kinds }) => kinds)],
  };
}

/** The field in a chain such as `after.?source.image`; undefined for any other expression. */
function fieldAt(node: ASTNode): ConditionInputs["fields"][number] | undefined {
  const path: string[] = [];
  let at = node;
  while (at.op === "." || at.op === ".?" || at.op === "[]" || at.op === "[?]") {
    const [inner, member] = at.args;
    const name = typeof member === "string" ? member : textOf(member);
    // Brackets may contain an index, or a value that only the run knows: the rest of the chain is ignored.
    if (name === undefined) path.length = 0;
    else path.unshift(name);
    at = inner;
  }
  if (at.op !== "id" || path.length === 0 || !["before", "after"].includes(at.args)) return undefined;
  return { path, text: `${at.args}.${path.join(".")}`, start: node.start };
}

/** The texts in `kind == "Job"` and `kind in ["Job", "Helm"]`. */
function kindsAt(node: ASTNode): ConditionInputs["kinds"] {
  if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return [];
  const [left, right] = node.args;
  const isKind = ({ op, args }: ASTNode) => op === "id" && args === "kind";
  const other = isKind(left) ? right : node.op !== "in" && isKind(right) ? left : undefined;
  return (other?.op === "list" ? other.args : other ? [other] : []).flatMap((each) => {
    const text = textOf(each);
    return text === undefined ? [] : [{ text, start: each.start }];
  });
}

function textOf({ op, args }: ASTNode): string | undefined {
  return op === "value" && typeof args === "string" ? args : undefined;
}
