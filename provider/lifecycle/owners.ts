import { RefusedError } from "./errors.ts";

/**
 * Which resource of a program has what only one can have: the entries of live resources, such as variables and secrets, and the
 * names that belong to one resource of an organization, such as custom domains. One table for all of them, for one pass.
 *
 * The engine tells of all that it creates, changes and keeps before it deletes anything; some resources it tells of twice.
 */
export class Owners {
  readonly #owners = new Map<string, string>();
  readonly #expected = new Set<string>();
  readonly #handedOver = new Set<string>();
  readonly #released = new Set<string>();

  /** Notes that a resource has an entry, unless another one has it; the one that has it then. */
  claim(entry: string, owner: string): string {
    const first = this.#owners.get(entry) ?? owner;
    this.#owners.set(entry, first);
    return first;
  }

  /**
   * Notes that a resource of the program states entries, as its own inputs or as itself.
   *
   * @param sort what they are, for the message
   * @throws RefusedError where another resource states one of them
   */
  claimAll(entries: readonly string[], resource: string | undefined, sort = "variable or secret"): void {
    for (const entry of resource === undefined ? [] : entries) {
      const owner = this.claim(entry, resource ?? "");
      if (owner !== resource)
        throw new RefusedError(
          `${owner.split("::").at(-1)} of this program states the ${sort} ${entry.slice(entry.indexOf("/") + 1)} of the same owner; remove it from one of the two`,
        );
    }
  }

  /** Another resource that has an entry; undefined if none has, as far as this run has seen, or if nobody knows who asks. */
  otherOf(entry: string, owner: string | undefined): string | undefined {
    const other = this.#owners.get(entry);
    return owner === undefined || other === owner ? undefined : other;
  }

  /** Notes that a resource of its own is going to have an entry, which another one gives up. */
  expect(entry: string): void {
    this.#expected.add(entry);
  }

  /** Hands an entry over to the resource that has it or is going to have it: then it stays where it is. False where nobody is known to. */
  handOver(entry: string): boolean {
    if (this.#expected.has(entry)) this.#handedOver.add(entry);
    const isTaken = this.#handedOver.has(entry) || this.#owners.has(entry);
    if (!isTaken) this.#released.add(entry);
    return isTaken;
  }

  /** Whether a resource has given an entry up and removed it: another one of the state that has it writes it again. */
  isReleased(entry: string | undefined): boolean {
    return entry !== undefined && this.#released.has(entry);
  }

  /** Whether an entry waits for its new resource, which takes it over. */
  isHandedOver(entry: string): boolean {
    return this.#handedOver.has(entry);
  }
}
