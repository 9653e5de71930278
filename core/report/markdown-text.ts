import { escapeControl } from "../values/text.ts";

/** A text on one line, escaped so that it cannot format, link, mention anybody or end the cell of a table. */
export function plain(text: string): string {
  return (
    escapeControl(text)
      .replaceAll(/[\\`*_[\]<>~&]/g, "\\$&")
      // GitHub links people, issues and addresses even after a backslash.
      .replaceAll(/@|#|:(?=\/\/)|www(?=\.)/g, "$&<!-- -->")
      .replaceAll("|", "&#124;")
  );
}

export function code(text: string): string {
  // Parsers do not agree on what ends the cell of a table inside backticks.
  if (text.includes("|")) return `<code>${plain(text)}</code>`;
  const shown = escapeControl(text);
  const fence = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines as a block of code. The caller escapes control characters. */
export function codeBlock(lines: readonly string[], language: string): string {
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [fence + language, ...lines, fence].join("\n");
}

/** A table; the cells are Markdown of one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A section that is folded until a reader opens it. */
export function fold(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
