import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";

/** The folder of the pages. */
export const checkout = path.join(import.meta.dirname, "..", "..");

/** A fenced block of a page. */
export interface Block {
  language: string;
  lines: string[];
  /** Number of its first line, counted from 1. */
  line: number;
  /** The file name in its first line. */
  file: string | undefined;
  /** The file that runs its commands, named in the comment before the block. */
  runBy: string | undefined;
}

/** A page of the documentation. */
export interface Page {
  /** Relative to the checkout: `docs/tutorials/getting-started.md`. */
  name: string;
  lines: string[];
  blocks: Block[];
}

/** The pages whose commands, snippets and links are tested, as in the checkout. */
export function readPages(): Page[] {
  const inDocs = readdirSync(path.join(checkout, "docs"), { encoding: "utf8", recursive: true }).filter(
    (name) => name.endsWith(".md"),
  );
  return ["README.md", "CONTRIBUTING.md", ...inDocs.toSorted().map((name) => `docs/${name}`)].map(readPage);
}

/** Finds a page by its name. */
export function readPage(name: string): Page {
  const lines = readFileSync(path.join(checkout, name), "utf8").split("\n");
  return { name, lines, blocks: blocksOf(lines) };
}

/** The fenced blocks in the lines of a page. */
export function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: { block: Block; fence: string; indent: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const [, indent = "", fence, language = ""] = /^(\s*)(`{3,})(\S*)/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === undefined) continue;
      const runBy = /^\s*<!-- run by: (\S+) -->$/.exec(lines[index - 1] ?? "")?.[1];
      open = { block: { language, lines: [], line: index + 2, file: undefined, runBy }, fence, indent };
      blocks.push(open.block);
    } else if (fence === open.fence && language === "") {
      open.block.file = fileOf(open.block);
      open = undefined;
    } else open.block.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
  }
  return blocks;
}

function fileOf({ lines: [first = ""] }: Block): string | undefined {
  return /^(?:#|\/\/) file: (\S+)$/.exec(first)?.[1];
}

/** The lines of a page outside its blocks and comments, which a reader sees as text. */
export function proseOf({ lines, blocks }: Page): { text: string; line: number }[] {
  const inBlocks = new Set(
    blocks.flatMap(({ line, lines: { length } }) =>
      Array.from({ length: length + 2 }, (_, index) => line - 1 + index),
    ),
  );
  return lines.flatMap((text, index) => (inBlocks.has(index + 1) ? [] : [{ text, line: index + 1 }]));
}

/** A block with its page. */
export interface Snippet {
  page: Page;
  block: Block;
  /** `docs/tutorials/getting-started.md:12`. */
  at: string;
}

/** Every block of every page. */
export function readSnippets(): Snippet[] {
  return readPages().flatMap((page) =>
    page.blocks.map((block) => ({ page, block, at: `${page.name}:${block.line}` })),
  );
}
