import type { Client, Clock } from "../../core/api/index.ts";
import { type AuditEvent, type Hint, hintOf, isHarmless, settling } from "../../core/state/events/index.ts";
import type { LiveStore } from "../../core/state/live/index.ts";
import { escapeControl, shorten } from "../../core/values/text.ts";
import { nameKey } from "../../core/model/addresses/names.ts";
import { deletionsIn, type ReportedDeletion } from "./deletions.ts";

/** The subject of an event: an id, or the name of a resource that may have gone, and its parent. */
export interface Subject {
  id?: string | undefined;
  name: string;
  environmentId?: string;
}

/** Of how many resources it is known who has changed them last. */
const mostAuthors = 10_000;

/** The resources that may have changed, by an event. */
export interface Doubt {
  hints: readonly Hint[];
  environmentId: string | undefined;
  /** When its last event was, by the clock of this machine, in milliseconds since 1970. */
  at: number;
  /** It was raised by writes of one's own. */
  isOwn?: boolean;
}

/** Follows the organization's events, and names the live state that may have changed. Events are only hints. */
export class EventHints {
  readonly #clock: Clock;
  /** Lists to read again until changes have settled. */
  readonly #doubts = new Map<string, Doubt>();
  /** The time of an event of unknown scope; undefined once lists that were read later have settled. */
  #allSeen: number | undefined;
  /** The last change of a resource, by its id, and by its name in its environment. */
  readonly #authors = new Map<string, { author: string; time: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the events: one request as a rule. Statuses that they name are forgotten. @param age of answers from others, in milliseconds */
  async follow(
    client: Client,
    organizationId: string,
    live: LiveStore,
    age = 0,
  ): Promise<{
    /** Everything may have changed: events are missing, or one may be about anything. */
    isAll: boolean;
    /** The server has no events for this token, so changes stay unknown. */
    isBlind: boolean;
    /** The oldest first. */
    about: readonly Doubt[];
    /** The deletions by all processes of infrasync since the last reading; undefined if events are missing. */
    deletions: readonly ReportedDeletion[] | undefined;
  }> {
    const { state, events: all, read } = await live.events.refresh(client, organizationId, age);
    this.#attribute(read);
    live.recent.follow(read.length > 0 ? read : undefined, organizationId);
    const now = this.#clock.now();
    const events = all.filter(({ type }) => !isHarmless(type));
    // Deployments change no configuration, but the status of services.
    for (const event of all)
      if (event.environmentId !== undefined) live.forgetStatuses(event.environmentId, event);
    const isAnything = events.some((event) => hintOf(event, organizationId) === undefined);
    const isAll = state === "gap" || isAnything || this.#allSeen !== undefined;
    // The next read may still lack the latest changes.
    if (isAnything) this.#allSeen = now;
    else if (this.#allSeen !== undefined && now - age - this.#allSeen >= settling) this.#allSeen = undefined;
    if (isAll) this.#doubts.clear();
    for (const event of events.toReversed()) {
      const isOwn = live.writes.has(event);
      const key = `${isOwn} ${event.environmentId ?? event.projectId} ${event.targetId}`;
      const hint = hintOf(event, organizationId);
      if (!hint) continue;
      this.#doubts.delete(key);
      const passed = Math.max(0, client.serverTime - event.time);
      this.#doubts.set(key, { hints: [hint], environmentId: event.environmentId, at: now - passed, isOwn });
    }
    const about = [...this.#doubts.values()].filter(({ isOwn }) => !isOwn);
    const early = new Map<string, Doubt>();
    for (const doubt of this.#doubts.values()) {
      if (!doubt.isOwn) continue;
      const hints = doubt.hints.flatMap((hint) => live.readTooEarly(hint));
      if (hints.length === 0) this.reading(doubt, age);
      else early.set(JSON.stringify(hints), { ...doubt, hints });
    }
    return {
      isAll,
      isBlind: state === "no_events",
      about: [...about, ...early.values()],
      deletions: state === "gap" ? undefined : deletionsIn(all),
    };
  }

  /** The resources of a doubt are read now; again, until they have settled. @param age of answers from others */
  reading(doubt: Doubt, age = 0): void {
    if (this.#clock.now() - age - doubt.at < settling) return;
    for (const [key, each] of this.#doubts) if (each === doubt) this.#doubts.delete(key);
  }

  /** Who has changed a resource last and by what, and when by the clock of the server, as far as the events say so. */
  lastOf({ id, name, environmentId }: Subject): { author: string; time: number } | undefined {
    // Something that has gone is known by its name only.
    return this.#authors.get(id ?? `${environmentId} ${nameKey(name)}`);
  }

  #attribute(events: readonly AuditEvent[]): void {
    for (const event of events) {
      const { time, type, targetId, targetName, environmentId } = event;
      const author = authorOf(event);
      if (author === undefined || isHarmless(type)) continue;
      const named = targetName === undefined ? [] : [`${environmentId} ${targetName}`];
      for (const key of [targetId ?? [], named].flat()) {
        const known = this.#authors.get(key);
        if (known && known.time > time) continue;
        this.#authors.delete(key);
        this.#authors.set(key, { author, time });
      }
    }
    const tooMany = this.#authors.size - mostAuthors;
    for (const key of [...this.#authors.keys()].slice(0, Math.max(0, tooMany))) this.#authors.delete(key);
  }
}

/** Who, by what and when: `dev@example.com, CONSOLE, 2026-12-01T08:00:00.000Z`. */
function authorOf({ who, origin, time }: AuditEvent): string | undefined {
  if (!who) return undefined;
  const names = [who, ...(origin ? [origin] : [])].map((name) => escapeControl(shorten(name, 100)));
  return [...names, new Date(time).toISOString()].join(", ");
}
