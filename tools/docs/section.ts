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
    const file = `docs/${page}`;
    const present = readFileSync(path.join(import.meta.dirname, "..", "..", file), "utf8");
    writeGenerated(file, withSection(present, name, text, page), `${file}: ${name}`);
  }
}

function withSection(present: string, name: string, text: string, page: string): string {
  const begin = new RegExp(`<!-- ${name}: written by \\S+ -->\n`).exec(present);
  const end = present.indexOf(`<!-- end of ${name} -->`);
  if (!begin || end < begin.index)
    throw new Error(`docs/${page} has no comment that starts the section ${name}`);
  return `${present.slice(0, begin.index)}${begin[0]}\n${text}\n\n${present.slice(end)}`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
