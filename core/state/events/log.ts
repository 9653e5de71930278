import { ApiError, type Client, ForbiddenError, NotFoundError, path } from "../../api/index.ts";
import { type AuditEvent, readPage } from "./event.ts";

/** A read counts if it began this long after an event, in milliseconds: an event may be listed before its change shows. */
export const settling = 30_000;
/** How far back events are read again, in milliseconds: the server may list some of them late. */
const overlap = 600_000;
const mostPages = 20;
/** Pages of new events since the last look: it is cheaper to read what they name than everything. */
const mostNewPages = 50;
/** So many pages without a new event end a look, also within the overlap. */
const knownPages = 2;
/** How many events one request reads. */
export const eventsOfPage = 100;

/** Events that change no configuration: a list that is closed, because a type that is not known may change some. */
const harmless = new Set([
  "DEPLOY_QUEUED",
  "STOP_QUEUED",
  "RESTART_QUEUED",
  "TRIGGER_REDEPLOY",
  "TRIGGER_CANCEL",
  "TRIGGER_STOP",
  "TRIGGER_RESTART",
  "STOPPED",
  "RESTARTED",
  "DEPLOY_FAILED",
  "STOP_FAILED",
  "RESTART_FAILED",
  "SHELL",
  "PORT_FORWARD",
  "REMOTE_DEBUG",
  "EXPORT",
]);

/** Whether events of a type change no configuration. */
export function isHarmless(type: string): boolean {
  return harmless.has(type);
}

/** An earlier read of the events, after which only new ones matter, or those that the server has listed late. */
export interface EarlierEvents {
  /** When it was, by the clock of the server. */
  looked: number;
  /** The ids of the events that it has read, as far as they may change configuration. */
  known: ReadonlySet<string>;
  /** Every event since this time matters, whether it is known or not. */
  needed: number;
  /** How many requests they may cost; default: 20. */
  mostPages?: number;
}

/** Events, newest first, and the time since when these are all of them. */
export interface EventsSince {
  events: AuditEvent[];
  /** In milliseconds since 1970, by the clock of the server. */
  since: number;
}

const nothing: EarlierEvents = { looked: -Infinity, known: new Set(), needed: -Infinity };

/**
 * Reads events, newest first, back to a time by the clock of the server, or only to a later one if they are known there.
 * Undefined if they are incomplete.
 *
 * @param isFollowed whether they are read again and again: then also harmless ones matter, and none at all are whole
 */
async function readBack(
  client: Client,
  organizationId: string,
  since: number,
  { looked, known, needed, mostPages: most = mostPages }: EarlierEvents,
  isFollowed = false,
): Promise<EventsSince | undefined> {
  const where = path`/organization/${organizationId}/events`;
  const from = Math.max(since, looked - overlap);
  const isKnown = ({ id, type }: AuditEvent) => known.has(id) || (!isFollowed && isHarmless(type));
  const events: AuditEvent[] = [];
  let token: string | undefined;
  let quiet = 0;
  for (let pages = 0; pages < (isFollowed ? mostNewPages : Math.min(most, mostPages)); pages += 1) {
    const query = { pageSize: eventsOfPage, ...(token !== undefined && { continueToken: token }) };
    const page = readPage(await client.get(where, query));
    if (!page) return undefined;
    events.push(...page.events);
    quiet = page.events.every(isKnown) ? quiet + 1 : 0;
    // Nothing at all has come since the earlier look.
    const isIdle = quiet > 0 && isBefore(page.events.slice(0, 1), needed);
    if (isBefore(events, from) || isIdle || (quiet >= knownPages && isBefore(events, needed)))
      return { events, since: (events.at(-1)?.time ?? from) + 1 };
    if (page.next === undefined) {
      // A log that has lost the events that were known has lost others too. No event at all says nothing.
      const isWhole =
        known.size === 0 ? isFollowed || events.length > 0 : events.some(({ id }) => known.has(id));
      return isWhole ? { events, since: -Infinity } : undefined;
    }
    token = page.next;
  }
  return undefined;
}

function isBefore(events: readonly AuditEvent[], time: number): boolean {
  const oldest = events.at(-1);
  return oldest !== undefined && oldest.time < time;
}

/** The events since a time, by the clock of the server, that may change configuration; undefined if they are incomplete or unreadable. */
export async function eventsSince(
  client: Client,
  organizationId: string,
  since: number,
  earlier = nothing,
): Promise<EventsSince | undefined> {
  try {
    const read = await readBack(client, organizationId, since, earlier);
    return read && { ...read, events: read.events.filter(({ type }) => !isHarmless(type)) };
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The events of an organization as far as a run or a service has read them: one cursor for all who ask. */
export class EventLog {
  #events: ReadonlyMap<string, AuditEvent> = new Map();
  /** All events since then are known, by the clock of the server. */
  #since = Infinity;
  /** When they were read last, by the clock of the server. */
  #looked = -Infinity;

  /**
   * All events since a time, by the clock of the server, that may change configuration: one request as a rule, none if they
   * are known. Undefined if nobody can know them: a run works without events.
   *
   * @param age how many milliseconds ago they may have been read at most
   */
  async since(
    client: Client,
    organizationId: string,
    time: number,
    age = Infinity,
  ): Promise<AuditEvent[] | undefined> {
    return ifReadable(async () => {
      const isKnown = () => this.#since <= time;
      if (isKnown() && client.serverTime - this.#looked > age) await this.refresh(client, organizationId);
      if (!isKnown()) await this.#read(client, organizationId, time);
      return isKnown() ? [...this.#events.values()].filter(({ type }) => !isHarmless(type)) : undefined;
    });
  }

  /** The events since a time that another process has not read, or whose changes it may have missed. */
  after(
    client: Client,
    organizationId: string,
    time: number,
    earlier: EarlierEvents,
  ): Promise<AuditEvent[] | undefined> {
    return ifReadable(() => this.#read(client, organizationId, time, earlier));
  }

  async #read(
    client: Client,
    organizationId: string,
    time: number,
    earlier?: EarlierEvents,
  ): Promise<AuditEvent[] | undefined> {
    const now = client.serverTime;
    const read = await eventsSince(client, organizationId, time, earlier);
    if (read) this.#enter(read.events, read.since, now);
    return read?.events;
  }

  /** Reads the events since the last time: one request as a rule. @param age of answers that the client takes from others, in milliseconds */
  async refresh(
    client: Client,
    organizationId: string,
    age = 0,
  ): Promise<{
    /** `gap`: events before may be missing; `no_events`: the server returns no events to this token. */
    state: "whole" | "gap" | "no_events";
    /** The new ones, newest first. */
    events: readonly AuditEvent[];
    /** All that were read. */
    read: readonly AuditEvent[];
  }> {
    const [before, since, looked] = [this.#events, this.#since, this.#looked];
    const isFirst = since === Infinity;
    const now = client.serverTime - age;
    const from = isFirst ? Infinity : looked - overlap;
    const earlier = isFirst ? nothing : { looked, known: new Set(before.keys()), needed: Infinity };
    this.#events = new Map();
    this.#since = Infinity;
    try {
      const read = await readBack(client, organizationId, from, earlier, true);
      if (!read) return { state: "gap", events: [], read: [] };
      const oldest = now - 2 * overlap;
      const all = [...read.events, ...before.values()].filter(({ time }) => time >= oldest);
      this.#enter(all, Math.max(Math.min(since, read.since), oldest), now);
      // Older events were there at the last look. At first everything is read, but lists may still lack the latest changes.
      const newest = isFirst ? now - settling : from;
      const events = read.events.filter(({ id, time }) => !before.has(id) && time >= newest);
      return { state: isFirst ? "gap" : "whole", events, read: read.events };
    } catch (error) {
      if (error instanceof ForbiddenError || error instanceof NotFoundError)
        return { state: "no_events", events: [], read: [] };
      throw error;
    }
  }

  #enter(events: readonly AuditEvent[], since: number, looked: number): void {
    const newestFirst = events.toSorted((one, other) => other.time - one.time);
    this.#events = new Map(newestFirst.map((event) => [event.id, event]));
    this.#since = since;
    this.#looked = looked;
  }
}

/** The events, and undefined after any failure of a request for them. */
async function ifReadable<Events>(read: () => Promise<Events>): Promise<Events | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
