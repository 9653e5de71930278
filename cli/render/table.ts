import type { Colors } from "../terminal/colors.ts";
import { padded, widest } from "./width.ts";

/** A table for a terminal: each column as wide as its widest cell. The caller escapes control characters. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  colors: Colors,
): string {
  const widths = headings.map((heading, column) =>
    widest([heading, ...rows.map((row) => row[column] ?? "")]),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [colors.bold(line(headings)), ...rows.map(line)].join("\n");
}
