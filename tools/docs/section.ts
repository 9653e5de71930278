import { readFileSync } from "node:fs";
import path from "node:path";
import { writeGenerated } from "../generated-files.ts";

/** A generated section of a page, between two comments with its name. */
export interface Section {
  /** Path of the page below docs/. */
  page: string;
  name: string;
  text: string;
}

/** Writes sections into their pages; with --check on the command line, fails instead when one of them is stale. */
export function writeSections(sections: readonly Section[]): void {
  for (const { page, name, text } of sections) {
    const { before, after } = around(page, name);
    writeGenerated(`docs/${page}`, `${before}\n${text}\n\n${after}`, `docs/${page}: ${name}`);
  }
}

/** A section as it stands on its page. */
export function presentSection(page: string, name: string): string {
  return around(page, name).inside;
}

function around(page: string, name: string): Record<"before" | "inside" | "after", string> {
  const text = readFileSync(path.join(import.meta.dirname, "..", "..", "docs", page), "utf8");
  const begin = new RegExp(`<!-- ${name}: written by \\S+ -->\n`).exec(text);
  const [start, end] = [
    (begin?.index ?? 0) + (begin?.[0].length ?? 0),
    text.indexOf(`<!-- end of ${name} -->`),
  ];
  if (!begin || end < start) throw new Error(`docs/${page} has no comment that starts the section ${name}`);
  return { before: text.slice(0, start), inside: text.slice(start, end), after: text.slice(end) };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
