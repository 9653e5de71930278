import type { Client, Clock } from "../../api/index.ts";
import type { Kind } from "../../model/kinds/index.ts";
import { type Contents, isOnDemand, listKey } from "./contents.ts";
import type { LiveStore } from "./store.ts";

/** A request that has not been sent yet, so that other callers can share it. */
interface ScheduledRequest {
  /** When the request is sent. */
  at: number;
  read: Promise<unknown>;
}

/**
 * Reads lists again to check what a write has done. The signal does not stop these reads, because a write with an unknown
 * outcome has to be checked. Callers that need the same list before its request is sent share that request: waiting for
 * twenty deletions in one environment costs one request each time.
 */
export class FreshLists {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #live: LiveStore;
  readonly #gathering: number;
  readonly #scheduled = new Map<string, ScheduledRequest>();
  #saving: FreshLists | undefined;

  /**
   * @param live receives the lists that are read
   * @param gathering milliseconds for which a request waits for more callers
   */
  constructor(client: Client, clock: Clock, live: LiveStore, gathering = 0) {
    this.#client = client.finishing;
    this.#clock = clock;
    this.#live = live;
    this.#gathering = gathering;
  }

  /** The same reads for requests that save data: the request cap does not stop them. */
  get saving(): FreshLists {
    this.#saving ??= new FreshLists(this.#client.saving, this.#clock, this.#live, this.#gathering);
    return this.#saving;
  }

  /**
   * Reads the contents of a parent in `asked` milliseconds, or earlier if a request for them is due before. Lists that are
   * read only on demand are left out.
   *
   * @returns undefined if the parent is gone
   */
  read(
    parent: Kind | undefined,
    parentId: string,
    asked = 0,
    signal?: AbortSignal,
  ): Promise<Contents | undefined> {
    return this.share(parentId, asked, signal, (client) =>
      this.#live.contentsOf(client, parent, parentId, 0),
    );
  }

  /** The same for the list that has the resources of a kind. */
  readList(kind: Kind, parentId: string, asked = 0, signal?: AbortSignal): Promise<Contents | undefined> {
    if (!isOnDemand(kind)) return this.read(kind.parent, parentId, asked, signal);
    return this.share(listKey({ kind, parentId }), asked, signal, (client) =>
      this.#live.listOf(client, kind, parentId, 0),
    );
  }

  /** The same, unless it was read at most `age` milliseconds ago. */
  readOlder(kind: Kind, parentId: string, age: number): Promise<Contents | undefined> {
    return age === 0 ? this.readList(kind, parentId) : this.#live.listOf(this.#client, kind, parentId, age);
  }

  /** Any other read that callers share. @param key the same for the same read */
  share<Read>(
    key: string,
    asked: number,
    signal: AbortSignal | undefined,
    send: (client: Client) => Promise<Read>,
  ): Promise<Read> {
    const delay = Math.max(asked, this.#gathering);
    const scheduled = this.#scheduled.get(key);
    const at = this.#clock.now() + delay;
    if (scheduled && scheduled.at <= at) return scheduled.read as Promise<Read>;
    const read = this.#clock.sleep(delay, signal).then(() => {
      this.#close(key, entry);
      return send(this.#client);
    });
    const entry: ScheduledRequest = { at, read };
    this.#scheduled.set(key, entry);
    return read;
  }

  #close(key: string, entry: ScheduledRequest): void {
    if (this.#scheduled.get(key) === entry) this.#scheduled.delete(key);
  }
}
