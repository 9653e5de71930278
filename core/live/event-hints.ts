import type { Client, Clock } from "../api/index.ts";
import { type AuditEvent, EventLog, isHarmless, settling } from "../events/index.ts";
import { nameKey } from "../names.ts";
import type { Hint, LiveStore } from "./store.ts";

/** What an event is about: an id, or the name of something that may have gone, and its parent. */
export interface Subject {
  id?: string;
  name: string;
  environmentId?: string;
}

/** How long live state is believed where the server has no events that can be used, in milliseconds. */
const longestBelief = 300_000;
/** Of how many resources it is known who has changed them last. */
const mostAuthors = 10_000;

/** What a look at the events has led to. `nothing`: all that was known is still believed. */
export type Hinted = "nothing" | "some" | "everything";

/**
 * Makes a store forget what the organization's events say has changed. Events are only hints: everything is forgotten
 * whenever they are not complete or cannot be understood, and every five minutes where there are none.
 */
export class EventHints {
  readonly #clock: Clock;
  readonly #log = new EventLog();
  /** What is read again until it has settled, with the local time when its last event was seen. */
  readonly #stale = new Map<string, { event: AuditEvent; seen: number }>();
  /** When an event was seen that may be about anything; undefined: what was read since has settled. */
  #allSeen: number | undefined;
  #believedSince = -Infinity;
  /** The last change of a resource, by its id, and by its name in its environment. */
  readonly #authors = new Map<string, { author: string; time: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Looks at the events, with one request as a rule, and forgets what they name.
   *
   * @param stretch how many times longer than usual live state is believed
   */
  async follow(client: Client, organizationId: string, live: LiveStore, stretch: number): Promise<Hinted> {
    const { state, events: all, read } = await this.#log.look(client, organizationId);
    this.#attribute(read);
    const now = this.#clock.now();
    const events = all.filter(({ type }) => !isHarmless(type));
    // Of what changes no configuration, deployments change how services fare.
    for (const { environmentId } of all) if (environmentId !== undefined) live.forgetStatuses(environmentId);
    const isOver = state === "no_events" && now - this.#believedSince >= longestBelief * stretch;
    const isAll = events.some(isAboutAll);
    if (isOver || state === "gap" || isAll || this.#allSeen !== undefined) {
      live.forgetAll();
      this.#believedSince = now;
      this.#stale.clear();
      // The read that follows may be too early for what has just happened.
      if (isAll) this.#allSeen = now;
      else if (this.#allSeen !== undefined && now - this.#allSeen >= settling) this.#allSeen = undefined;
      for (const event of events) this.#note(event, now);
      return "everything";
    }
    for (const event of events) this.#note(event, now);
    if (this.#stale.size === 0) return "nothing";
    for (const [key, { event, seen }] of this.#stale) {
      for (const hint of hintsOf(event)) live.forget(hint);
      if (now - seen >= settling) this.#stale.delete(key);
    }
    return "some";
  }

  /** Who has changed a resource last, by what and when, as far as the events say so. */
  authorOf({ id, name, environmentId }: Subject): string | undefined {
    // Something that has gone is known by its name only.
    const key = id ?? `${environmentId} ${nameKey(name)}`;
    return this.#authors.get(key)?.author;
  }

  #attribute(events: readonly AuditEvent[]): void {
    for (const { author, time, type, targetId, targetName, environmentId } of events) {
      if (author === undefined || isHarmless(type)) continue;
      for (const key of [targetId, `${environmentId} ${targetName}`]) {
        const known = key === undefined ? undefined : this.#authors.get(key);
        if (key === undefined || (known && known.time > time)) continue;
        this.#authors.delete(key);
        this.#authors.set(key, { author, time });
      }
    }
    const tooMany = this.#authors.size - mostAuthors;
    for (const key of [...this.#authors.keys()].slice(0, Math.max(0, tooMany))) this.#authors.delete(key);
  }

  #note(event: AuditEvent, seen: number): void {
    if (event.environmentId !== undefined)
      this.#stale.set(`${event.environmentId} ${event.targetId}`, { event, seen });
  }
}

/** Whether an event may be about anything: of a project, a registry, a cluster. */
function isAboutAll({ environmentId }: AuditEvent): boolean {
  return environmentId === undefined;
}

/** What an event says may have changed. */
function hintsOf({ environmentId, targetType, targetId, projectId }: AuditEvent): Hint[] {
  if (environmentId === undefined) return [];
  if (targetType === "ENVIRONMENT" || targetId === undefined)
    return [{ id: environmentId, ...(projectId !== undefined && { parentId: projectId }) }];
  return [{ id: targetId, parentId: environmentId }];
}
