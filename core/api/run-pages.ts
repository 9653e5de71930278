import type { RequestMeter } from "./meter.ts";
import { operationOf } from "./path.ts";
import type { Once, Witness } from "./witness.ts";

/** What the lists of one operation have shown in a run. */
interface OperationPages {
  /** The most elements, and bytes, of a first page that was proved to be the whole list; undefined: no list was proved. */
  whole?: { length: number; bytes: number };
  /** Whether the server has cut a list. */
  isCut?: boolean;
  /** Whether a page with less than the list has shown that the server counts the list. */
  isCounted?: boolean;
  /** Whether the server answers page 2 with page 1. */
  isUnpaged?: boolean;
}

/** What lists have shown in one run: in the next one, the server may cut them. */
export class RunPages {
  readonly #meter: RequestMeter;
  readonly #operations = new Map<string, OperationPages>();
  readonly #answers = new Map<string, { writes: number; answer: Promise<unknown> }>();
  /** The lists whose counts this run believes. */
  readonly counted = new Set<string>();
  /** The lists of the organization, by their paths. */
  readonly longLists = new Map<string, Witness>();
  readonly #longest = new Map<boolean, number>();

  constructor(meter: RequestMeter) {
    this.#meter = meter;
  }

  /** What the lists of the operation of a path have shown. */
  of(path: string): OperationPages {
    const operation = operationOf(path);
    const known = this.#operations.get(operation) ?? {};
    this.#operations.set(operation, known);
    return known;
  }

  /** A page had so many elements. */
  sees(length: number, isCounted: boolean): void {
    this.#longest.set(isCounted, Math.max(length, this.longest(isCounted)));
  }

  /** The length of the longest page that had a count, or of those that had none. */
  longest(isCounted: boolean): number {
    return this.#longest.get(isCounted) ?? 0;
  }

  /** Reads once, and again after a write of the run. */
  readonly once: Once = <Value>(key: string, load: () => Promise<Value>) => {
    const known = this.#answers.get(key);
    const { writes } = this.#meter;
    if (known?.writes === writes) return known.answer as Promise<Value>;
    const answer = load();
    this.#answers.set(key, { writes, answer });
    return answer;
  };

  /** Reads everything again. */
  forget(): void {
    this.#answers.clear();
    this.#operations.clear();
    this.counted.clear();
    this.#longest.clear();
  }
}
