import type { Client, Clock } from "../../api/index.ts";
import { type EarlierEvents, eventsIfReadable, hintOf, settling } from "../events/index.ts";
import type { LiveStore } from "./store.ts";

/** What was read so few milliseconds ago is fresh, and so long nobody reads the events again. */
const justRead = 5_000;
/** The server tells its time in whole seconds. */
const tolerance = 2_000;

/** Keeps what a run has read fresh until an event names a change by another; where the events say nothing, for seconds only. */
export class EventWatch {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #live: LiveStore;
  /** When the oldest read began, by the clock of this machine. */
  readonly #since: number;
  #earlier: EarlierEvents | undefined;
  #lookedAt = -Infinity;
  #checking: Promise<void> = Promise.resolve();
  #isReported = true;

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
    if (this.#isReported && now - this.#lookedAt > justRead) {
      this.#lookedAt = now;
      this.#checking = this.#refresh(id);
    }
    await this.#checking;
    return this.#isReported ? Infinity : justRead;
  }

  async #refresh(id: string): Promise<void> {
    const organizationId = this.#live.organizationOf(id);
    const looked = this.#client.serverTime;
    const since = this.#since + this.#client.serverAhead - tolerance;
    const events =
      organizationId === undefined
        ? undefined
        : (await eventsIfReadable(this.#client, organizationId, since, this.#earlier))?.events;
    if (!events) this.#isReported = false;
    const known = this.#earlier?.known ?? new Set();
    for (const event of events ?? []) {
      if (event.time < since || known.has(event.id) || this.#live.isOwn(event)) continue;
      const hint = hintOf(event, organizationId ?? "");
      if (hint) this.#live.forget(hint);
      else this.#isReported = false;
    }
    const read = events?.map((event) => event.id) ?? [];
    this.#earlier = { looked, known: new Set([...known, ...read]), needed: looked - settling };
  }
}
