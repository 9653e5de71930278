import { escapeControl } from "../../core/text.ts";

/** A text as it is, on one line: nothing in it formats, links, mentions anybody or ends the cell of a table. */
export function plain(text: string): string {
  return (
    escapeControl(text)
      .replaceAll(/[\\`*_[\]<>~&]/g, "\\$&")
      // A backslash does not stop what looks like a person, an issue or an address from becoming a link.
      .replaceAll(/@|#|:(?=\/\/)|www(?=\.)/g, "$&<!-- -->")
      .replaceAll("|", "&#124;")
  );
}

/** A text as code, on one line. */
export function code(text: string): string {
  // Parsers do not agree on what ends the cell of a table inside backticks.
  if (text.includes("|")) return `<code>${plain(text)}</code>`;
  const shown = escapeControl(text);
  const fence = "`".repeat(longestRun(shown) + 1);
  const space = shown.startsWith("`") || shown.endsWith("`") ? " " : "";
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Lines as a block of code. They are shown as they are, so they have to be safe. */
export function codeBlock(lines: readonly string[], language: string): string {
  const fence = "`".repeat(Math.max(3, ...lines.map((line) => longestRun(line) + 1)));
  return [fence + language, ...lines, fence].join("\n");
}

/** A table; the cells are Markdown of one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What is shown only when it is asked for. */
export function fold(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
