import type { Client, Clock } from "../../core/api/index.ts";
import type { Kind } from "../../core/kinds/index.ts";
import { type Contents, readContents } from "../../core/live/index.ts";

/** Milliseconds for which a list that has been read answers for what its parent holds. */
const shelfLife = 5000;

interface Entry {
  children: Promise<Contents | undefined>;
  /** When it no longer answers; not before the list has come. */
  until: number;
}

/**
 * What parents hold, read by one list for all that ask within a few seconds: whether a name is taken, and what a
 * refresh shows. Nothing is written on the strength of it.
 */
export class Snapshot {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** What a parent holds; undefined when it does not exist. */
  childrenOf(parent: Kind | undefined, parentId: string): Promise<Contents | undefined> {
    const known = this.#entries.get(parentId);
    if (known && this.#clock.now() < known.until) return known.children;
    const entry: Entry = {
      children: readContents(this.#client, parent, parentId).finally(() => {
        entry.until = this.#clock.now() + shelfLife;
      }),
      until: Infinity,
    };
    this.#entries.set(parentId, entry);
    entry.children.catch(() => this.#entries.delete(parentId));
    return entry.children;
  }

  /** Takes out what we have deleted. */
  drop(parentId: string, id: string): void {
    const entry = this.#entries.get(parentId);
    if (!entry) return;
    const without = (children: Contents | undefined): Contents | undefined =>
      children && { ...children, resources: children.resources.filter((resource) => resource.id !== id) };
    entry.children = entry.children.then(without);
    // Who waits for it gets the failure; nobody else has to.
    entry.children.catch(() => undefined);
  }
}
