import type { Position } from "../problems/problem.ts";

/** Longer lines are cut when they are shown, because a file may be one long line. */
const shownCharacters = 1000;

const surrogatePair = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

/** The lines of a file, found only when a caller asks for a position. */
export class Lines {
  readonly text: string;
  readonly #file: string;
  #lineStarts: number[] | undefined;

  constructor(text: string, file: string) {
    this.text = text;
    this.#file = file;
  }

  position(offset: number): Position {
    const line = this.line(offset);
    const start = this.#starts[line - 1] ?? 0;
    const end = this.#starts[line] ?? this.text.length;
    const before = this.text.slice(start, offset);
    return {
      file: this.#file,
      line,
      column: before.length - (before.match(surrogatePair)?.length ?? 0) + 1,
      text: this.text.slice(start, Math.min(end, start + shownCharacters)).replace(/\r?\n$/, ""),
    };
  }

  line(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? Infinity) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get #starts(): readonly number[] {
    if (!this.#lineStarts) {
      this.#lineStarts = [0];
      for (let end = this.text.indexOf("\n"); end >= 0; end = this.text.indexOf("\n", end + 1))
        this.#lineStarts.push(end + 1);
    }
    return this.#lineStarts;
  }
}
