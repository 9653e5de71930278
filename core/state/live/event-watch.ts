import type { Client, Clock } from "../../api/index.ts";
import { hintOf } from "../events/index.ts";
import type { LiveStore } from "./store.ts";

/** The milliseconds for which a read is fresh, and the events are not read again. */
const justRead = 5_000;
/** The server tells its time in whole seconds. */
const tolerance = 2_000;

/** Keeps what a run has read fresh until an event names a change by another; where the events say nothing, for seconds only. */
export class EventWatch {
  readonly #run: { client: Client; clock: Clock; live: LiveStore };
  /** When the oldest read began, by the clock of this machine. */
  readonly #since: number;
  readonly #seen = new Set<string>();
  #refreshedAt = -Infinity;
  #refreshing: Promise<void> = Promise.resolve();
  #isReported = true;

  constructor(run: { client: Client; clock: Clock; live: LiveStore }) {
    this.#run = run;
    this.#since = run.live.since;
  }

  /** Drops the cached state that others have changed, and returns the age of the rest, in milliseconds. @param id of a resource */
  async age(id: string): Promise<number> {
    const now = this.#run.clock.now();
    if (now - this.#since <= justRead) return justRead;
    if (this.#isReported && now - this.#refreshedAt > justRead) {
      this.#refreshedAt = now;
      this.#refreshing = this.#refresh(id);
    }
    await this.#refreshing;
    return this.#isReported ? Infinity : justRead;
  }

  async #refresh(id: string): Promise<void> {
    const { client, live } = this.#run;
    const organizationId = live.organizationOf(id) ?? "";
    const since = this.#since + client.serverAhead - tolerance;
    const events =
      organizationId === "" ? undefined : await live.events.since(client, organizationId, since, 0);
    this.#isReported = events !== undefined;
    for (const event of events ?? []) {
      if (event.time < since || this.#seen.has(event.id) || live.writes.has(event)) continue;
      this.#seen.add(event.id);
      const hint = hintOf(event, organizationId);
      if (hint) live.forget(hint);
      else this.#isReported = false;
    }
  }
}
