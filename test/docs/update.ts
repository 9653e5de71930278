import { writeFileSync } from "node:fs";
import path from "node:path";
import { diffArrays } from "diff";
import { checkout, type Page } from "./markdown.ts";
import type { Difference } from "./run-page.ts";
import { anything, matchesLine } from "./transcript.ts";

/** The parts of an output that differ in every run. */
const passing = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
  // Waiting for a clone may take one more request.
  /\d+(?= of \d+ left)/g,
  /(?<=resets in )\d+ (?:s|min)/g,
  /(?<=127\.0\.0\.1:)\d+/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /\b[\da-f]{40,64}\b/g,
];

/** Writes the real output of commands into their page. */
export function updatePage({ name, lines }: Page, differences: readonly Difference[]): void {
  const updated = [...lines];
  // From the end, so that the line numbers above stay valid.
  for (const { block, step, actual, exitCode } of differences.toReversed()) {
    const start = block.line - 1 + step.start;
    const end = block.line - 1 + step.end;
    const [first = "", ...more] = updated.slice(start, start + step.command.split("\n").length);
    const typed =
      exitCode === step.exitCode ? first : `${first.replace(/\s+# exit \d+$/, "")} # exit ${exitCode}`;
    updated.splice(start, end - start, typed, ...more, ...updatedOutput(step.output, actual));
  }
  writeFileSync(path.join(checkout, name), updated.join("\n"));
}

/** The real output, in which the page's `…` stay where they still match. */
export function updatedOutput(expected: readonly string[], actual: readonly string[]): string[] {
  const comparator = (left: string, right: string) => !isOpen(left) && matchesLine(left, right);
  const output: string[] = [];
  let replaced: string[] = [];
  let next = 0;
  for (const { value, added, removed } of diffArrays([...expected], [...actual], { comparator })) {
    if (removed) replaced = value;
    else {
      output.push(...replacement(replaced, added ? value : []));
      if (!added)
        output.push(...expected.slice(next + replaced.length, next + replaced.length + value.length));
      next += replaced.length + (added ? 0 : value.length);
      replaced = [];
    }
  }
  return [...output, ...replacement(replaced, [])];
}

/** Replaces lines that no longer match: keeps the number of lines before and after the `…`. */
function replacement(before: readonly string[], after: readonly string[]): string[] {
  const open = before.findIndex(isOpen);
  const lines = after.map((line) =>
    passing.reduce((text, pattern) => text.replaceAll(pattern, anything), line),
  );
  if (open === -1) return lines;
  const rest = before.length - open - 1;
  return [...lines.slice(0, open), anything, ...lines.slice(Math.max(open, lines.length - rest))];
}

const isOpen = (line: string) => line.trim() === anything;
