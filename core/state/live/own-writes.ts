import type { Clock } from "../../api/index.ts";
import { type AuditEvent, isOfWrite, newSignature, settling } from "../events/index.ts";
import { type Moment, momentNow } from "./cache.ts";

/** The writes of one's own whose answers a store has entered: their events say nothing new. */
export class OwnWrites {
  readonly #clock: Clock;
  /** When each resource was written last, by id. */
  readonly #moments = new Map<string, Moment>();
  /** By which the events of these writes are known. */
  readonly signature = newSignature();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether there are any. */
  get hasAny(): boolean {
    return this.#moments.size > 0;
  }

  /** A resource or a part of it was written now. */
  enter(id: string): void {
    this.#moments.set(id.toLowerCase(), momentNow(this.#clock));
  }

  /** Whether an event is of one of these writes. */
  has(event: AuditEvent): boolean {
    const isKnown = this.#moments.has(event.targetId?.toLowerCase() ?? "");
    return event.signature === this.signature && isKnown && isOfWrite(event);
  }

  /** Whether a read that began at a time may not show yet what was written to one of these resources. */
  isTooEarly(started: Moment, ids: Iterable<string>): boolean {
    for (const id of ids) {
      const written = this.#moments.get(id.toLowerCase());
      if (written && started.turn > written.turn && started.time < written.time + settling) return true;
    }
    return false;
  }
}
