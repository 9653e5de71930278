import { structuredPatch } from "diff";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { counted } from "./text.ts";

/** With more changed lines than this, a comparison takes too long and nobody would read it. */
const maximumEdits = 5000;

/** The difference between two texts, line by line, with three lines of context. */
export function unifiedDiff(before: string, after: string, colors: Colors): string {
  const patch = structuredPatch("", "", ended(before), ended(after), undefined, undefined, {
    context: 3,
    maxEditLength: maximumEdits,
  });
  if (!patch) return `${counted(lines(before), "line")} -> ${counted(lines(after), "line")}`;
  return patch.hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines: shown }) => [
      ...(patch.hunks.length > 1
        ? [colors.dim(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`)]
        : []),
      ...shown.map((line) => paint(escapeControl(line.replace(/\r$/, "␍")), colors)),
    ])
    .join("\n");
}

/** The text with a line break at its end, because a missing one would show as a change of the last line. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function lines(text: string): number {
  return text === "" ? 0 : text.split("\n").length;
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("-") ? colors.red(line) : line;
}
