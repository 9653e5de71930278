import type { RequestMeter } from "./meter.ts";
import type { Evidence, Once, Witness } from "./witness.ts";

/** The lists without a count of one operation. */
interface ProvedLists {
  /** The most elements, and bytes, of a first page that was the whole list. */
  length: number;
  bytes: number;
  /** Whether the server has cut a list. */
  isCut: boolean;
}

/** What the lists without a count have shown in one run: in the next one, the server may cut them. */
export class RunPages {
  readonly #meter: RequestMeter;
  readonly #proved = new Map<string, ProvedLists>();
  readonly #answers = new Map<string, { writes: number; answer: Promise<unknown> }>();
  readonly #longLists = new Map<string, Witness>();
  readonly #counted = new Set<string>();
  readonly #unpaged = new Set<string>();
  /** The length of the longest page, by whether it had a count. */
  readonly #longest = new Map<boolean, number>();

  constructor(meter: RequestMeter) {
    this.#meter = meter;
  }

  /** Undefined: none of the operation was proved whole. */
  proved(operation: string): Readonly<ProvedLists> | undefined {
    return this.#proved.get(operation);
  }

  /** A list was proved whole. @param page its first page */
  proves(operation: string, page: { length: number; bytes: number }, isCut: boolean): void {
    const known = this.#proved.get(operation) ?? { length: 0, bytes: 0, isCut: false };
    const { length, bytes } = isCut ? known : page;
    this.#proved.set(operation, {
      length: Math.max(known.length, length),
      bytes: Math.max(known.bytes, bytes),
      isCut: known.isCut || isCut,
    });
  }

  /** Whether a page with less than the list has shown that the server counts lists of the operation. */
  counts(operation: string): boolean {
    return this.#counted.has(operation);
  }

  hasCounted(operation: string): void {
    this.#counted.add(operation);
  }

  /** The server answers page 2 of such lists with page 1. */
  isUnpaged(operation: string): boolean {
    return this.#unpaged.has(operation);
  }

  hasNoPages(operation: string): void {
    this.#unpaged.add(operation);
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
    this.#proved.clear();
    this.#unpaged.clear();
    this.#counted.clear();
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
