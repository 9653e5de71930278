import { type ASTNode, type Environment, Optional } from "@marcbachmann/cel-js";
import type { StepBudget } from "./budget.ts";
import { ConditionError } from "./condition-error.ts";
import { matches } from "./regular-expression.ts";

const loops = new Set(["all", "exists", "exists_one", "map", "filter"]);

/** Functions whose work grows faster than their input, with counted versions; and `value()`, for values of unknown types. */
const replaced = new Map([
  ["matches", "counted_matches_"],
  ["join", "counted_join_"],
  ["value", "counted_value_"],
]);

/** A condition that counts its steps, loops before they start: `a.counted_().counted_loop_(3).all(x, x.counted_() == b.counted_())`. */
export function countedText(root: ASTNode): string {
  const edits = editsIn(root).toSorted((a, b) => b.from - a.from);
  return edits.reduce((text, { from, to, by }) => text.slice(0, from) + by + text.slice(to), root.input);
}

interface Edit {
  from: number;
  to: number;
  by: string;
}

function editsIn(node: ASTNode): Edit[] {
  switch (node.op) {
    case "value":
      return [];
    case "id":
    case ".":
    case ".?":
    case "[]":
    case "[?]":
      return [{ from: node.end, to: node.end, by: ".counted_()" }, ...editsInChain(node)];
    case "call":
      return node.args[0] === "has" ? [] : node.args[1].flatMap(editsIn);
    case "rcall":
      return editsInCall(...node.args);
    default:
      return partsOf(node).flatMap(editsIn);
  }
}

/** Of `a.b[c].d`: a chain is counted once, with its result. */
function editsInChain(node: ASTNode): Edit[] {
  if (node.op === "." || node.op === ".?") return editsInChain(node.args[0]);
  if (node.op === "[]" || node.op === "[?]") return [...editsInChain(node.args[0]), ...editsIn(node.args[1])];
  return node.op === "id" ? [] : editsIn(node);
}

function editsInCall(name: string, receiver: ASTNode, given: readonly ASTNode[]): Edit[] {
  // `cel` and `optional` are namespaces, not values.
  const isNamespace = receiver.op === "id" && ["cel", "optional"].includes(receiver.args);
  const own = isNamespace ? [] : editsIn(receiver);
  const isLoop = loops.has(name);
  const inner = (isLoop || (isNamespace && name === "bind") ? given.slice(1) : given).flatMap(editsIn);
  const from = nameAfter(receiver);
  const by = isLoop
    ? `counted_loop_(${given.reduce((sum, body) => sum + sizeOf(body), 0)}).`
    : replaced.get(name);
  if (by === undefined) return [...own, ...inner];
  return [...own, { from, to: from + (isLoop ? 0 : name.length), by }, ...inner];
}

/** The offset of the name of a method: behind its receiver, the brackets around that, and a dot. */
function nameAfter({ input, end }: ASTNode): number {
  const [between = ""] = /^(?:[\s)]|\/\/.*)*\.(?:\s|\/\/.*)*/.exec(input.slice(end)) ?? [];
  return end + between.length;
}

export function expressionsIn(node: ASTNode): ASTNode[] {
  const [name, , given] = node.op === "rcall" ? node.args : [];
  const own = name === "matches" ? (given ?? []).filter(({ op }) => op === "value") : [];
  return [...own, ...partsOf(node).flatMap(expressionsIn)];
}

export function partsOf({ args }: ASTNode): ASTNode[] {
  return [args]
    .flat(3)
    .filter((part): part is ASTNode => typeof part === "object" && part !== null && "op" in part);
}

function sizeOf(node: ASTNode): number {
  return partsOf(node).reduce((sum, part) => sum + sizeOf(part), 1);
}

export function registerCounted(language: Environment, spending: { budget: StepBudget }): Environment {
  return language
    .registerFunction("dyn.counted_(): dyn", (value: unknown) => {
      spendFor(value, spending.budget);
      return value;
    })
    .registerFunction("dyn.counted_loop_(int): dyn", (range: unknown, size: bigint) => {
      spending.budget.spend(lengthOf(range) * Number(size));
      return range;
    })
    .registerFunction("dyn.counted_value_(): dyn", (optional: unknown) => {
      if (optional instanceof Optional) return optional.value();
      throw new ConditionError("value() needs an optional value");
    })
    .registerFunction("string.counted_matches_(string): bool", (text: string, expression: string) =>
      matches(text, expression, spending.budget),
    )
    .registerFunction("list<string>.counted_join_(): string", (texts: string[]) => texts.join(""))
    .registerFunction("list<string>.counted_join_(string): string", (texts: string[], separator: string) => {
      spending.budget.spend(texts.length * (1 + separator.length));
      return texts.join(separator);
    });
}

/** A step for each value in a value, and for each sixty characters of a text. */
function spendFor(value: unknown, budget: StepBudget): void {
  budget.spend(1);
  if (typeof value === "string") budget.spend(Math.ceil(value.length / 60));
  else if (Array.isArray(value)) for (const each of value) spendFor(each, budget);
  else if (value instanceof Map) for (const each of value.values()) spendFor(each, budget);
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) spendFor(each, budget);
}

function lengthOf(range: unknown): number {
  if (Array.isArray(range)) return range.length;
  if (range instanceof Map) return range.size;
  return typeof range === "object" && range !== null ? Object.keys(range).length : 1;
}
