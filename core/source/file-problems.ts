import { lineWithoutCredentials, quotesWithoutCredentials } from "../credential-forms.ts";
import type { Problem } from "../problem.ts";
import type { Lines } from "./lines.ts";
import { hopelessProblems, maximumProblems } from "./limits.ts";
import { adviceAt, type PlacedMistake } from "./mistake.ts";

/** A line with `…` in place of everything after its key. */
export function withoutValue(line: string): string {
  return /^(?:\s*[\w.$-]+:(?=\s|$))?/.exec(line)?.[0].concat(" …") ?? "…";
}

/** The problems of a file, of which the first hundred are kept and the others counted. */
export class FileProblems {
  readonly #lines: Lines;
  readonly #problems: Problem[] = [];
  #omitted = 0;
  #firstOmitted = 0;

  constructor(lines: Lines) {
    this.#lines = lines;
  }

  /** Adds a mistake, with the address of its resource if there is one. */
  add(mistake: PlacedMistake, address?: string): void {
    const { code, message, remedies, offset, hidesLine } = mistake;
    if (this.#problems.length >= maximumProblems) this.omit(1, offset);
    else {
      const place = this.#lines.position(offset);
      const shown = lineWithoutCredentials(place.text);
      const position = { ...place, text: hidesLine ? withoutValue(place.text) : shown };
      this.#problems.push({
        code,
        message: quotesWithoutCredentials(message),
        // The advice repeats a line that shows nothing that is hidden.
        advice: quotesWithoutCredentials(
          position.text === place.text ? adviceAt(mistake, position) : mistake.advice,
        ),
        remedies,
        position,
        address,
      });
    }
  }

  /** Counts mistakes without their texts; the first of them is near the offset. */
  omit(count: number, offset: number): void {
    if (this.#omitted === 0) this.#firstOmitted = offset;
    this.#omitted += count;
  }

  /** Whether there are so many problems that the rest of the file is not read. */
  get isHopeless(): boolean {
    return this.#omitted > hopelessProblems;
  }

  /** The problems that were kept, and a last one that counts the others. */
  problems(): Problem[] {
    if (this.#omitted === 0) return this.#problems;
    const count = `${this.isHopeless ? "at least " : ""}${this.#omitted.toLocaleString("en")} more`;
    return [
      ...this.#problems,
      {
        code: "omitted",
        message: `and ${count} in this file`,
        advice: "fix those above first",
        position: this.#lines.position(this.#firstOmitted),
      },
    ];
  }
}
