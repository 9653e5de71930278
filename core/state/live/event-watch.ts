import type { Client, Clock } from "../../api/index.ts";
import { type EarlierEvents, eventsIfReadable, hintOf, settling } from "../events/index.ts";
import type { LiveStore } from "./store.ts";

/** What was read so few milliseconds ago is fresh, whatever the events say; and so long nobody looks at them again. */
const justRead = 5_000;
/** The server tells its time in whole seconds. */
const tolerance = 2_000;

/**
 * For how long what a run has read is as the server has it: from when it was read, until an event names a change by another.
 * Where the events say nothing, for some seconds only.
 */
export class EventWatch {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #live: LiveStore;
  /** When the oldest read began, by the clock of this machine. */
  readonly #since: number;
  #earlier: EarlierEvents | undefined;
  #lookedAt = -Infinity;
  #looking: Promise<void> = Promise.resolve();
  /** Whether the events tell what has changed. */
  #isTold = true;

  constructor({ client, clock, live }: { client: Client; clock: Clock; live: LiveStore }) {
    this.#client = client;
    this.#clock = clock;
    this.#live = live;
    this.#since = live.since;
  }

  /** Forgets what others have changed, and returns how old what is known may be, in milliseconds. @param id of a resource */
  async age(id: string): Promise<number> {
    const now = this.#clock.now();
    if (now - this.#since <= justRead) return justRead;
    if (this.#isTold && now - this.#lookedAt > justRead) {
      this.#lookedAt = now;
      this.#looking = this.#look(id);
    }
    await this.#looking;
    return this.#isTold ? Infinity : justRead;
  }

  async #look(id: string): Promise<void> {
    const organizationId = this.#live.organizationOf(id);
    const looked = this.#client.serverTime;
    const since = this.#since + this.#client.serverAhead - tolerance;
    const events =
      organizationId === undefined
        ? undefined
        : (await eventsIfReadable(this.#client, organizationId, since, this.#earlier))?.events;
    const known = this.#earlier?.known ?? new Set();
    const fresh = events?.filter((event) => event.time >= since && !known.has(event.id));
    for (const event of fresh ?? []) {
      if (this.#live.isOwn(event)) continue;
      const hint = hintOf(event, organizationId ?? "");
      if (hint) this.#live.forget(hint);
      else this.#isTold = false;
    }
    if (!events) this.#isTold = false;
    this.#earlier = {
      looked,
      known: new Set([...known, ...(events ?? []).map((event) => event.id)]),
      needed: looked - settling,
    };
  }
}
