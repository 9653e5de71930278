import type { Client, Clock } from "../api/index.ts";
import type { Kind } from "../kinds/index.ts";
import { type Contents, isOnDemand, listKey } from "./contents.ts";
import type { LiveStore } from "./store.ts";

/** A request that waits for others of its list, or is under way. */
interface Scheduled {
  /** When the request is sent. */
  at: number;
  look: Promise<Contents | undefined>;
}

/**
 * Looks at the contents of a parent, also after the signal, because a write with an unknown outcome has to be checked. All
 * who want to look at the same parent before the next request is sent share that request: waiting for twenty deletions
 * in one environment costs one list for each look.
 */
export class Looks {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #live: LiveStore;
  readonly #gathering: number;
  readonly #scheduled = new Map<string, Scheduled>();
  #saving: Looks | undefined;

  /**
   * @param live gets what the looks show
   * @param gathering milliseconds for which a look waits for others at the same parent
   */
  constructor(client: Client, clock: Clock, live: LiveStore, gathering = 0) {
    this.#client = client.finishing;
    this.#clock = clock;
    this.#live = live;
    this.#gathering = gathering;
  }

  /** Those for what would be lost if it ended halfway: above the cap of the run as well. */
  get saving(): Looks {
    this.#saving ??= new Looks(this.#client.saving, this.#clock, this.#live, this.#gathering);
    return this.#saving;
  }

  /**
   * The contents of the parent `asked` milliseconds from now, or earlier where a look is due before; undefined: it is
   * gone. Lists that are read on demand only are left out.
   */
  look(
    parent: Kind | undefined,
    parentId: string,
    asked = 0,
    signal?: AbortSignal,
  ): Promise<Contents | undefined> {
    return this.#share(parentId, asked, signal, () => this.#live.lookAt(this.#client, parent, parentId));
  }

  /** The same for the list of a kind. */
  lookInList(kind: Kind, parentId: string, asked = 0, signal?: AbortSignal): Promise<Contents | undefined> {
    if (!isOnDemand(kind)) return this.look(kind.parent, parentId, asked, signal);
    return this.#share(listKey({ kind, parentId }), asked, signal, () =>
      this.#live.lookAtList(this.#client, kind, parentId),
    );
  }

  #share(
    key: string,
    asked: number,
    signal: AbortSignal | undefined,
    send: () => Promise<Contents | undefined>,
  ): Promise<Contents | undefined> {
    const delay = Math.max(asked, this.#gathering);
    const scheduled = this.#scheduled.get(key);
    const at = this.#clock.now() + delay;
    if (scheduled && scheduled.at <= at) return scheduled.look;
    const entry: Scheduled = {
      at,
      look: this.#after(delay, signal, () => {
        this.#close(key, entry);
        return send();
      }),
    };
    this.#scheduled.set(key, entry);
    return entry.look;
  }

  async #after(
    delay: number,
    signal: AbortSignal | undefined,
    send: () => Promise<Contents | undefined>,
  ): Promise<Contents | undefined> {
    await this.#clock.sleep(delay, signal);
    return send();
  }

  #close(key: string, entry: Scheduled): void {
    if (this.#scheduled.get(key) === entry) this.#scheduled.delete(key);
  }
}
