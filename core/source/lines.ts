import { LineCounter } from "yaml";
import type { Position } from "../problem.ts";

/** Longer lines are cut when they are shown, because a file may be one long line. */
const shownCharacters = 1000;

const surrogatePair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** The lines of a file, found only when a caller asks for a position. */
export class Lines {
  readonly text: string;
  readonly #file: string;
  #counter: LineCounter | undefined;

  constructor(text: string, file: string) {
    this.text = text;
    this.#file = file;
  }

  /** The position of an offset in the text. */
  position(offset: number): Position {
    const line = this.line(offset);
    const start = this.#starts.lineStarts[line - 1] ?? 0;
    const end = this.#starts.lineStarts[line] ?? this.text.length;
    const before = this.text.slice(start, offset);
    return {
      file: this.#file,
      line,
      column: before.length - (before.match(surrogatePair)?.length ?? 0) + 1,
      text: this.text.slice(start, Math.min(end, start + shownCharacters)).replace(/\r?\n$/, ""),
    };
  }

  /** The number of the line that an offset is in. */
  line(offset: number): number {
    return this.#starts.linePos(offset).line;
  }

  get #starts(): LineCounter {
    if (!this.#counter) {
      this.#counter = new LineCounter();
      for (let start = 0; ;) {
        this.#counter.addNewLine(start);
        const end = this.text.indexOf("\n", start);
        if (end < 0) break;
        start = end + 1;
      }
    }
    return this.#counter;
  }
}
