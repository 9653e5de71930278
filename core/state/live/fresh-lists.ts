import type { Client, Clock } from "../../api/index.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type Contents, isEmpty, isOnDemand, listKey } from "./contents.ts";
import type { LiveStore } from "./store.ts";

/**
 * Reads lists again to check what a write has done; the signal does not stop that. Callers that need the same list before its
 * request is sent share it: to wait for twenty deletions in one environment costs one request each time.
 */
export class FreshLists {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #live: LiveStore;
  readonly #gathering: number;
  /** The reads whose requests are not sent yet, and when they are sent. */
  readonly #scheduled = new Map<string, { at: number; read: Promise<unknown> }>();
  #saving: FreshLists | undefined;

  /** @param gathering milliseconds for which a request waits for more callers */
  constructor(client: Client, clock: Clock, live: LiveStore, gathering = 0) {
    this.#client = client.finishing;
    this.#clock = clock;
    this.#live = live;
    this.#gathering = gathering;
  }

  /** The same for requests that save data: the request cap does not stop them. */
  get saving(): FreshLists {
    this.#saving ??= new FreshLists(this.#client.saving, this.#clock, this.#live, this.#gathering);
    return this.#saving;
  }

  /**
   * Reads the contents of a parent in `requested` milliseconds, or earlier if a request for them is due before; without the
   * lists that are read on demand.
   *
   * @returns undefined if the parent is gone
   */
  read(parent: Kind | undefined, parentId: string, requested = 0, signal?: AbortSignal) {
    return this.share(parentId, requested, signal, (client) =>
      this.#live.contentsOf(client, parent, parentId, 0),
    );
  }

  /** The same for the list that has the resources of a kind. @param requested how old it may be, in milliseconds */
  readList(kind: Kind, parentId: string, requested = 0, signal?: AbortSignal) {
    if (!isOnDemand(kind)) return this.read(kind.parent, parentId, requested, signal);
    return this.share(listKey({ kind, parentId }), requested, signal, (client) =>
      this.#live.listOf(client, kind, parentId, 0),
    );
  }

  /** The same, unless it was read at most `age` milliseconds ago. */
  readOlder(kind: Kind, parentId: string, age: number): Promise<Contents | undefined> {
    return age === 0 ? this.readList(kind, parentId) : this.#live.listOf(this.#client, kind, parentId, age);
  }

  /** The same for what is lost with its parent: an empty list is proved. @param seen the ids of what the plan names: a list may lack these */
  async readProved(
    kind: Kind,
    parentId: string,
    age: number,
    seen: ReadonlySet<string>,
  ): Promise<Contents | undefined> {
    const key = isOnDemand(kind) ? listKey({ kind, parentId }) : parentId.toLowerCase();
    const isShortened = this.#live.shortened.has(key);
    const known = age === 0 && !isShortened ? undefined : await this.readOlder(kind, parentId, age);
    if (isShortened || (known && !isEmpty(known))) return known;
    return this.share(`proved ${key}`, 0, undefined, (client) =>
      this.#live.contents.readList(client, { kind, parentId }, age, seen),
    );
  }

  /** Any other read that callers share. @param key the same for the same read */
  share<Read>(
    key: string,
    requested: number,
    signal: AbortSignal | undefined,
    send: (client: Client) => Promise<Read>,
  ): Promise<Read> {
    const delay = Math.max(requested, this.#gathering);
    const scheduled = this.#scheduled.get(key);
    const at = this.#clock.now() + delay;
    if (scheduled && scheduled.at <= at) return scheduled.read as Promise<Read>;
    const read: Promise<Read> = this.#clock.sleep(delay, signal).then(() => {
      if (this.#scheduled.get(key)?.read === read) this.#scheduled.delete(key);
      return send(this.#client);
    });
    this.#scheduled.set(key, { at, read });
    return read;
  }
}
