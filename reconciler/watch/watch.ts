import type { Client, Clock } from "../../core/api/index.ts";
import { EventHints, type LiveStore, type Subject } from "../../core/live/index.ts";
import { type Allowance, auditInterval } from "./allowance.ts";
import { Audit } from "./audit.ts";
import { Rotation } from "./rotation.ts";

const hour = 3_600_000;

/** What `Watch` works with. */
export interface WatchSettings {
  clock: Clock;
  allowance: Pick<Allowance, "interval" | "stretch">;
}

/**
 * Keeps what is known of live state true with few requests: events say what has changed at once; an audit every five
 * minutes finds what was created or deleted without one; and each environment is read in full once an hour.
 */
export class Watch {
  readonly #settings: WatchSettings;
  readonly #hints: EventHints;
  readonly #audit = new Audit();
  readonly #rotation = new Rotation();
  #nextAudit = -Infinity;

  constructor(settings: WatchSettings) {
    this.#settings = settings;
    this.#hints = new EventHints(settings.clock);
  }

  /** Makes a store forget what may not be true any more. */
  async follow(client: Client, organizationId: string, live: LiveStore): Promise<void> {
    const { clock, allowance } = this.#settings;
    const { interval, stretch } = allowance;
    const hinted = await this.#hints.follow(client, organizationId, live, stretch);
    const now = clock.now();
    live.outlasted(client.serverTime);
    if (hinted === "everything") return this.#restart(now);
    if (now >= this.#nextAudit) {
      this.#nextAudit = now + auditInterval * stretch;
      if (!(await this.#audit.run(client, organizationId, live))) {
        live.forgetAll();
        return this.#restart(now);
      }
    }
    // A turn comes at the next look, and what is new gets its first one a look after it was read.
    const period = Math.max(interval, hour - 2 * interval) * stretch;
    this.#rotation.forgetDue(live, organizationId, now, period);
    return undefined;
  }

  /** Who has changed a resource last, by what and when, as far as the events say so. */
  authorOf(subject: Subject): string | undefined {
    return this.#hints.authorOf(subject);
  }

  #restart(now: number): void {
    this.#nextAudit = now + auditInterval * this.#settings.allowance.stretch;
    this.#rotation.restart();
  }
}
