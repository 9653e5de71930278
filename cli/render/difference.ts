import { structuredPatch } from "diff";
import { escapeControl } from "../../core/text.ts";
import type { Colors } from "../terminal/colors.ts";
import { counted } from "./text.ts";

/** Beyond this many changed lines the comparison takes long, and nobody reads it. */
const maximumEdits = 5000;

/** The difference of two texts, line by line, with three lines around each. */
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

/** Whether a last line ends with a line break is no difference that a person wants to see twice. */
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
