import type { DocumentMistake, Path } from "./mistake.ts";

/** Where a value stands in a text. */
export interface Place {
  /** The offset of its key; undefined for an element of a list and for the document. */
  key: number | undefined;
  value: number;
  /** Whether it is a text, a number or the like, and so begins on the line of its key. */
  isScalar: boolean;
  inside: Map<string | number, Place>;
}

/** Collects the places of values while a document is read. */
export class PlaceRecorder {
  readonly #open: Place[];

  constructor(start: number) {
    this.#open = [{ key: undefined, value: start, isScalar: false, inside: new Map() }];
  }

  /** A member or an element begins. */
  enter(part: string | number, key: number | undefined, value: number): void {
    const place: Place = { key, value, isScalar: false, inside: new Map() };
    this.#open.at(-1)?.inside.set(part, place);
    this.#open.push(place);
  }

  /** The offset of the value that began last, where it is not the one given at its beginning. */
  at(value: number, isScalar: boolean): void {
    const place = this.#open.at(-1);
    if (place) Object.assign(place, { value, isScalar });
  }

  leave(): void {
    this.#open.pop();
  }

  /** The offset of a path; see `offsetOf` in places.ts, which does the same for the nodes of the parser. */
  offsetOf(path: Path, at: DocumentMistake["at"]): number {
    let place = this.#open[0] ?? nowhere;
    for (const part of path) {
      const inner = place.inside.get(part);
      if (!inner) break;
      place = inner;
    }
    return at === "value" && place.isScalar ? place.value : (place.key ?? place.value);
  }
}

const nowhere: Place = { key: undefined, value: 0, isScalar: false, inside: new Map() };
