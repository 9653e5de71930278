import { structuredPatch } from "diff";
import { counted, escapeControl } from "../values/text.ts";

/** With more changed lines than this, a comparison takes too long and nobody would read it. */
const maximumEdits = 5000;

/** A line of a difference; `hunk` says where the lines after it are. */
export interface DifferenceLine {
  kind: "added" | "removed" | "same" | "hunk";
  text: string;
}

/** The difference between two texts, line by line, with three lines of context; a text where they differ too much. */
export function differenceOf(before: string, after: string): DifferenceLine[] | string {
  const patch = structuredPatch("", "", ended(before), ended(after), undefined, undefined, {
    context: 3,
    maxEditLength: maximumEdits,
  });
  if (!patch) return `${counted(lines(before), "line")} -> ${counted(lines(after), "line")}`;
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: shown }) => [
    ...(patch.hunks.length > 1
      ? [{ kind: "hunk" as const, text: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@` }]
      : []),
    ...shown.map((line) => ({ kind: kindOf(line), text: escapeControl(line.replace(/\r$/, "␍")) })),
  ]);
}

function kindOf(line: string): DifferenceLine["kind"] {
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}

/** The text with a line break at its end, because a missing one would show as a change of the last line. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function lines(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}
