import type { AnyAddress } from "../../core/model/addresses/address.ts";
import { environmentKeyOf, environmentOf } from "../policy/index.ts";

/** Unfinished work of earlier cycles: runs that only wait for the server, each with its environments. */
export class LeftWork {
  readonly #left = new Set<{ keys: ReadonlySet<string>; over: Promise<void> }>();

  /** @param rest resolves when the run has ended; it never rejects */
  leave(addresses: readonly AnyAddress[], rest: Promise<void>): void {
    const keys = new Set(addresses.map((address) => environmentOf(address).key));
    const over = rest.then(() => void this.#left.delete(work));
    const work = { keys, over };
    this.#left.add(work);
  }

  /** Whether a run still works in an environment or a project. @param names its names */
  isIn(names: readonly string[]): boolean {
    const key = environmentKeyOf(names);
    return [...this.#left].some(({ keys }) => keys.has(key));
  }

  async over(): Promise<void> {
    await Promise.all([...this.#left].map((work) => work.over));
  }
}
