import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import { brokenCommand } from "../terminal/command-lines.ts";
import type { Colors } from "../terminal/colors.ts";

/** A text with spaces after it, up to a width in columns of the terminal: wide characters take two. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

export function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => stringWidth(text)));
}

/**
 * Breaks lines that are longer than `width` between words; what follows stands below the text of the line. A command, or its
 * flags, on a line of its own is broken as a shell reads it. Without a width, the text stays as it is: only a terminal breaks lines.
 */
export function fitted(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) =>
      stringWidth(line) <= width
        ? line
        : /^ +(?:infrasync |--[a-z])/.test(line)
          ? brokenCommand(line, width)
          : broken(line, width),
    )
    .join("\n");
}

function broken(line: string, width: number): string {
  const [start = ""] = /^ */.exec(line) ?? [];
  const next = `\n${start}  `;
  return start + wrapAnsi(line.slice(start.length), width - start.length - 2).replaceAll("\n", next);
}

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
