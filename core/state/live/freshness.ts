import type { Clock } from "../../api/index.ts";
import { type AuditEvent, isOfWrite, newSignature, reachOf, settling } from "../events/index.ts";
import { kinds } from "../../model/kinds/index.ts";
import type { CachedList, CachedRun } from "./cache-files/file.ts";

/** A moment by the clock of this machine. Of two within a millisecond, the later one has the higher turn. */
export interface Moment {
  turn: number;
  time: number;
}

let turns = 0;

/** This moment. */
export function momentNow(clock: Clock): Moment {
  turns += 1;
  return { turn: turns, time: clock.now() };
}

/** How fresh something known is: the one place that says since when it is known, and until when. */
export interface Freshness {
  /** The id of the resource that it is about, in lower case: what changes there makes it stale. */
  of: string;
  /** When its read began. */
  since: Moment;
  /** When it expires, in milliseconds since 1970; Infinity: not by its age. */
  until: number;
  /** This run has read it, an earlier run has, or the answers to writes of a new resource tell it. */
  because: "read" | "cached" | "reported";
}

/** The writes of one's own whose answers a store has entered: their events say nothing new. */
export class OwnWrites {
  readonly #clock: Clock;
  /** When each resource was written last, by id. */
  readonly #moments = new Map<string, Moment>();
  /** When the first was entered, by the clock of this machine, and how many events they have at least. */
  #began: number | undefined;
  #events = 0;
  /** By which the events of these writes are known. */
  readonly signature = newSignature();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether there are any. */
  get hasAny(): boolean {
    return this.#moments.size > 0;
  }

  /** How long they have taken so far, in milliseconds, and how many events they have at least. */
  get extent(): { lasted: number; events: number } {
    const now = this.#clock.now();
    return { lasted: now - (this.#began ?? now), events: this.#events };
  }

  /** A resource or parts of it were written now. @param events how many events that has at least */
  enter(id: string, events = 1): void {
    const moment = momentNow(this.#clock);
    this.#began ??= moment.time;
    this.#events += events;
    this.#moments.set(id.toLowerCase(), moment);
  }

  /** Whether an event is of one of these writes. */
  has(event: AuditEvent): boolean {
    const isKnown = this.#moments.has(event.targetId?.toLowerCase() ?? "");
    return event.signature === this.signature && isKnown && isOfWrite(event);
  }

  /** Whether a read that began at a time may lack a write to one of these resources. */
  isTooEarly(started: Moment, ids: Iterable<string>): boolean {
    for (const id of ids) {
      const written = this.#moments.get(id.toLowerCase());
      if (written && started.turn > written.turn && started.time < written.time + settling) return true;
    }
    return false;
  }
}

/** How many events runs have had since a time, at least, by the clock of the server. */
export function eventsOf(runs: ReadonlyMap<string, CachedRun>, since: number): number {
  return [...runs.values()].reduce((sum, { end, lasted, events }) => {
    const part = Math.min(1, Math.max(0, end - since) / Math.max(1, lasted));
    return sum + Math.floor(events * part);
  }, 0);
}

/**
 * Whether a list was read so long after the last event about its resource that it shows the change. What a run has written is
 * in the lists that were read before its end.
 *
 * @param now by the clock of the server
 */
export function outlastedBy(
  events: readonly AuditEvent[],
  runs: ReadonlyMap<string, CachedRun>,
  now: number,
): (list: CachedList) => boolean {
  const runOf = (event: AuditEvent) => {
    const run = isOfWrite(event) ? runs.get(event.signature ?? "") : undefined;
    return run && (run.isOver || event.time <= run.end) ? run : undefined;
  };
  const reaches = [...Map.groupBy(events, runOf)].map(
    ([run, ofRun]) => [run?.end ?? -Infinity, lastChanges(ofRun, now)] as const,
  );
  return ({ owner, above, at }) => {
    const ofEvents = ["everything", `only ${owner}`, ...[owner, ...above].map((id) => `inside ${id}`)];
    return reaches.every(
      ([end, times]) => at <= end || ofEvents.every((key) => at >= (times.get(key) ?? -Infinity) + settling),
    );
  };
}

/** When an event was last about everything, a resource alone, or all that is in one. */
function lastChanges(events: readonly AuditEvent[], now: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const event of events) {
    // A deployment changes nothing but what the platform tells: one read is enough, once that has settled.
    if (!isOfWrite(event) && now - event.time < settling) continue;
    const reach = reachOf(event, isSilent);
    if (reach === "nothing") continue;
    const key = typeof reach === "string" ? reach : Object.entries(reach).flat().join(" ").toLowerCase();
    times.set(key, Math.max(event.time, times.get(key) ?? -Infinity));
  }
  return times;
}

/** Whether the platform tells siblings nothing about a type of target of events. */
function isSilent(targetType: string): boolean {
  return kinds.some(
    ({ slug, outputs }) => !outputs && slug.replaceAll("-", "_").toUpperCase() === targetType,
  );
}
