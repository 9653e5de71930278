// npm run coverage, after the tests: appends the figures of this run to docs/coverage.jsonl, and prints them.
import { appendFile, readFile } from "node:fs/promises";
import path from "node:path";
import { commitOf } from "./commit.ts";

const checkout = path.join(import.meta.dirname, "..");
const summary = path.join(checkout, "coverage", "coverage-summary.json");
const { total } = JSON.parse(await readFile(summary, "utf8")) as {
  total: Record<"lines" | "branches" | "functions", { pct: number }>;
};
const line = {
  commit: commitOf(checkout),
  date: new Date().toISOString().slice(0, 10),
  lines: total.lines.pct,
  branches: total.branches.pct,
  functions: total.functions.pct,
};
await appendFile(path.join(checkout, "docs", "coverage.jsonl"), `${JSON.stringify(line)}\n`);
process.stdout.write(
  `Of the sources, ${line.lines} % of the lines ran, ${line.branches} % of the branches.\n`,
);
