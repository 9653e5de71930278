import { writeFileSync } from "node:fs";
import path from "node:path";
import { checkout, type Page } from "./markdown.ts";
import type { Difference } from "./run-page.ts";

/** What is another with every run. */
const passing = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g,
  // Waiting for a clone may take a request more.
  /\d+(?= of \d+ left)/g,
  /(?<=resets in )\d+ (?:s|min)/g,
  /(?<=127\.0\.0\.1:)\d+/g,
  /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
  /\b[\da-f]{40,64}\b/g,
];

/** Writes what commands really printed into their page. */
export function updatePage({ name, lines }: Page, differences: readonly Difference[]): void {
  const updated = [...lines];
  // From the end, so that the places of those above stay.
  for (const { block, step, actual, exitCode } of differences.toReversed()) {
    const start = block.line - 1 + step.start;
    const end = block.line - 1 + step.end;
    const [first = "", ...more] = updated.slice(start, start + step.command.split("\n").length);
    const typed =
      exitCode === step.exitCode ? first : `${first.replace(/\s+# exit \d+$/, "")} # exit ${exitCode}`;
    const output = actual.map((line) =>
      passing.reduce((text, pattern) => text.replaceAll(pattern, "…"), line),
    );
    updated.splice(start, end - start, typed, ...more, ...output);
  }
  writeFileSync(path.join(checkout, name), updated.join("\n"));
}
