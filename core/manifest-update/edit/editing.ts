import type { ParsedNode } from "yaml";
import type { Targets } from "./shared.ts";
import { columnOf, type Comment, commentsIn, lineEnd, type Splice } from "./text.ts";

/** A place for a value. */
export interface Slot {
  /** Null: nothing is written there, as in `key:`. */
  node: ParsedNode | null;
  /** Where a value may begin: behind the colon or the dash. */
  after: number;
  /** The column of the key or the dash. */
  column: number;
  /** Whether it is inside `{ }` or `[ ]`. */
  isFlow: boolean;
}

/** Changes of one YAML text that are being collected. */
export class Editing {
  readonly text: string;
  readonly targets: Targets;
  readonly splices: Splice[] = [];
  /** `\r\n` where the text has it. */
  readonly newline: string;
  /** Whether the dashes of lists stand further right than the keys of the lists. */
  readonly indentSeq: boolean;
  #comments: Comment[] | undefined;
  readonly #lines: { offset: number; lines: string }[] = [];

  constructor(text: string, targets: Targets) {
    this.text = text;
    this.targets = targets;
    this.newline = /\r\n/.test(text) ? "\r\n" : "\n";
    this.indentSeq = !/^( *)(?! |-|#)[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n\1- /m.test(text);
  }

  /** Replaces a range; comments in it have to be put somewhere else. */
  replace(start: number, end: number, text: string): void {
    this.splices.push({ start, end, text: text.replaceAll(/\r?\n/g, this.newline) });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** Adds lines below the line of an offset, also where that line is removed. */
  addLines(offset: number, lines: string): void {
    this.#lines.push({ offset, lines });
  }

  /** All changes. */
  finished(): Splice[] {
    const removed = this.splices.filter(({ start, end }) => end > start);
    const goneAt = (offset: number) => removed.find(({ start, end }) => start <= offset && offset < end);
    for (const { offset, lines } of this.#lines) {
      const place = this.text[offset - 1] === "\n" ? offset : lineEnd(this.text, offset);
      const gone = goneAt(offset) ?? goneAt(place);
      const at = gone?.end ?? place;
      const [spaces = ""] = /^ */.exec(lines) ?? [];
      if (this.text[at - 1] === "\n") this.insert(at, `${lines}\n`);
      else this.insert(at, gone ? `\n${lines}\n${spaces}` : `\n${lines}`);
    }
    this.#lines.length = 0;
    return this.splices;
  }

  /** The comments in a range as lines with an indentation, each with a line break before it. */
  commentLines(start: number, end: number, column: number): string {
    this.#comments ??= commentsIn(this.text);
    return this.#comments
      .filter((comment) => comment.start >= start && comment.start < end)
      .map(({ text }) => `\n${" ".repeat(column)}${text}`)
      .join("");
  }

  columnOf(offset: number): number {
    return columnOf(this.text, offset);
  }
}

/** Lines moved to the right; empty ones stay empty. */
export function indented(text: string, column: number): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(column) + line))
    .join("\n");
}
