import type { RequestMeter } from "./meter.ts";
import type { Evidence, Once, Witness } from "./witness.ts";

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
  readonly #longLists = new Map<string, Witness>();
  /** The length of the longest page, by whether it had a count. */
  readonly #longest = new Map<boolean, number>();

  constructor(meter: RequestMeter) {
    this.#meter = meter;
  }

  of(operation: string): OperationPages {
    const known = this.#operations.get(operation) ?? {};
    this.#operations.set(operation, known);
    return known;
  }

  /** A page had so many elements. */
  sees(length: number, isCounted: boolean): void {
    this.#longest.set(isCounted, Math.max(length, this.#longest.get(isCounted) ?? 0));
  }

  knows(lists: readonly Witness[]): void {
    for (const list of lists) if (list.isShared) this.#longLists.set(list.path, list);
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

  /** Compares a length, to which the server may cut all lists, with the longest page so far, and with the lists of the organization if need be. */
  async compare(length: number, isCounted: boolean, read: (list: Witness) => Promise<Evidence>) {
    const isLonger = () => (this.#longest.get(isCounted) ?? 0) > length;
    const others: (number | undefined)[] = [];
    for (const list of this.#longLists.values()) {
      if (isLonger()) break;
      const { longest } = await read(list);
      this.sees(longest ?? 0, isCounted);
      others.push(longest);
    }
    if (isLonger()) return "another is longer";
    if (others.includes(length)) return "another is as long";
    return others.some((other) => other !== undefined) ? "all others are shorter" : "no other is known";
  }
}
