/**
 * npm run mutations [-- --count 300 --seed 1 --only FOLDER]: changes decisions of the engine one at a time in a
 * copy, runs the nearest tests, prints what none notices, and appends the score to docs/mutations.jsonl.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, globSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";
import { randomFrom } from "./fleet/random.ts";
import { CheckoutCopy } from "./fixtures/checkout-copy.ts";
import { commitOf } from "../tools/commit.ts";

const checkout = path.join(import.meta.dirname, "..");

/** The folders with the decisions, each with its nearest tests: quick ones, and those for unnoticed changes. */
const nearest: Record<string, readonly [quick: readonly string[], others: readonly string[]]> = {
  "core/api": [["test/core/api"], ["test/core/steps"]],
  "core/planning/plan": [
    ["test/core/planning/plan", "test/core/planning/concerns"],
    ["test/core/rules", "test/core/execution/session", "test/core/outputs/forms"],
  ],
  "core/planning/concerns": [
    ["test/core/planning/plan", "test/core/planning/concerns"],
    ["test/core/rules", "test/core/execution/session", "test/core/rules/policies"],
  ],
  "core/operations": [
    ["test/core/steps"],
    // Deletions are sent together for programs of Pulumi alone.
    ["test/core/execution/session", "test/provider/lifecycle/joint-deletions.long.test.ts"],
  ],
  "reconciler/decide": [
    ["test/reconciler/decide"],
    ["test/reconciler/causes.test.ts", "test/reconciler/cycle.test.ts"],
  ],
};

/** A change that hangs the tests is noticed too. */
const longest = 900_000;

interface Mutation {
  file: string;
  start: number;
  end: number;
  text: string;
}

const swapped: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: "!==",
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: "===",
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
  [ts.SyntaxKind.PlusToken]: "-",
  [ts.SyntaxKind.MinusToken]: "+",
};

/** The changes of a file: operators, conditions, numbers, negations, omitted calls, some for every. */
function mutationsOf(file: string): Mutation[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(checkout, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Mutation[] = [];
  const change = (node: ts.Node, text: string) =>
    found.push({ file, start: node.getStart(), end: node.getEnd(), text });
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const isText = [node.left, node.right].some(
        (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side),
      );
      const other = isText && kind === ts.SyntaxKind.PlusToken ? undefined : swapped[kind];
      if (other !== undefined) change(node.operatorToken, other);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node))
      for (const value of ["true", "false"])
        change(ts.isIfStatement(node) ? node.expression : node.condition, value);
    if (ts.isNumericLiteral(node))
      change(node, `${node.text === "0" ? 1 : Number(node.text.replaceAll("_", "")) * 1000}`);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      change(node, node.operand.getText());
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) change(node, ";");
    if (
      ts.isPropertyAccessExpression(node) &&
      ts.isCallExpression(node.parent) &&
      node.parent.expression === node
    ) {
      if (node.name.text === "some") change(node.name, "every");
      if (node.name.text === "every") change(node.name, "some");
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: Object.keys(nearest) },
  },
});

const below = randomFrom(Number(values.seed));
const files = values.only.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: checkout })).toSorted();
const all = files.filter((file) => !file.endsWith("index.ts")).flatMap((file) => mutationsOf(file));
const drawn = Array.from({ length: Math.min(Number(values.count), all.length) }, () =>
  all.splice(below(all.length), 1),
).flat();

await using copy = await CheckoutCopy.make();
for (const folder of values.only)
  for (const tests of nearest[folder] ?? [])
    if (await fails(tests)) throw new Error(`without a change, a test fails or hangs: ${tests.join(" ")}`);
let noticed = 0;
for (const [index, { file, start, end, text }] of drawn.entries()) {
  const original = readFileSync(path.join(checkout, file), "utf8");
  write(file, original.slice(0, start) + text + original.slice(end));
  const [, rings = [[], []]] = Object.entries(nearest).find(([folder]) => file.startsWith(folder)) ?? [];
  const isNoticed = (await fails(rings[0])) || (await fails(rings[1]));
  write(file, original);
  noticed += isNoticed ? 1 : 0;
  const before = original.slice(0, start);
  const place = `${file}:${before.split("\n").length}`;
  const line = original.slice(before.lastIndexOf("\n") + 1, original.indexOf("\n", end)).trim();
  console.log(
    `${index + 1}/${drawn.length} ${isNoticed ? "noticed" : "NOT NOTICED"} ${place}: ${original.slice(start, end).split("\n")[0]} -> ${text}${isNoticed ? "" : `\n  ${line}`}`,
  );
}

const score = Math.round((noticed / drawn.length) * 100);
const result = {
  commit: commitOf(checkout),
  date: new Date().toISOString().slice(0, 10),
  count: drawn.length,
  seed: Number(values.seed),
  noticed,
  score,
};
appendFileSync(path.join(checkout, "docs", "mutations.jsonl"), `${JSON.stringify(result)}\n`);
console.log(`The nearest tests notice ${noticed} of ${drawn.length} changes: ${score} %.`);

/** Writes a file of the copy so that nothing is rebuilt because of it. */
function write(file: string, text: string): void {
  const { atime, mtime } = statSync(copy.pathOf(file));
  writeFileSync(copy.pathOf(file), text);
  utimesSync(copy.pathOf(file), atime, mtime);
}

async function fails(tests: readonly string[]): Promise<boolean> {
  const projects = ["--project", "main", "--project", "long"];
  const args = ["node_modules/vitest/vitest.mjs", "run", ...projects, "--bail", "1", ...tests];
  // A group of its own, so that no worker outlives a run that hangs.
  const child = spawn(process.execPath, args, { cwd: copy.pathOf("."), stdio: "ignore", detached: true });
  const timer = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), longest);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return code !== 0;
}
