import { ApiError, type Client, ForbiddenError, NotFoundError } from "../../api/index.ts";
import { type AuditEvent, type EventsSince, overlap, readBack, readSince } from "./event.ts";
import { withoutSignature } from "./signature.ts";

/** A read counts if it began this long after an event, in milliseconds: an event may be listed before its change shows. */
export const settling = 30_000;

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
}

const noRefresh: EarlierEvents = { looked: -Infinity, known: new Set(), needed: -Infinity };

/** The events since a time, by the clock of the server, that may change configuration; undefined if they are incomplete or unreadable. */
export async function eventsSince(
  client: Client,
  organizationId: string,
  since: number,
  { looked, known, needed }: EarlierEvents = noRefresh,
): Promise<EventsSince | undefined> {
  const isKnown = ({ id, type }: AuditEvent) => known.has(id) || isHarmless(type);
  try {
    const from = Math.max(since, looked - overlap);
    const read = await readSince(client, pathOf(organizationId), from, needed, isKnown);
    return read && { ...read, events: read.events.filter(({ type }) => !isHarmless(type)) };
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The same, and undefined also after any other failure of the request: a plan works without events. */
export async function eventsIfReadable(
  ...checking: Parameters<typeof eventsSince>
): Promise<EventsSince | undefined> {
  try {
    return await eventsSince(...checking);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The name of this program in events. */
const ownAgent = "infrasync";

/** Something that infrasync has deleted, in whatever process. */
export interface ReportedDeletion {
  /** The same in all events of it: one that takes long has an event when it begins and one when it ends. */
  key: string;
  /** The id of the deleted resource, or of the resource that lost a part. */
  id: string;
  /** By the clock of the server, in milliseconds since 1970. */
  time: number;
  /** `job`, or `variable of job`. */
  what: string;
  /** The name of the resource, in lower case. */
  name: string;
  environmentId: string | undefined;
  /** The program that has deleted it, `infrasync-reconciler of main of github.com/acme/shop`; undefined if the event does not say. */
  program: string | undefined;
  /** The person or the token, as the event names it. */
  who: string | undefined;
}

/** The deletions by all processes of infrasync since a time, by the clock of the server; undefined as above. */
export async function deletionsSince(
  client: Client,
  organizationId: string,
  since: number,
): Promise<ReportedDeletion[] | undefined> {
  const read = await eventsSince(client, organizationId, since);
  return read && deletionsIn(read.events.filter(({ time }) => time >= since));
}

/** The deletions by infrasync among events; parts of a resource that is itself deleted do not count. */
export function deletionsIn(events: readonly AuditEvent[]): ReportedDeletion[] {
  const deletions = events.filter(
    ({ type, userAgent = ownAgent }) => type.startsWith("DELETE") && userAgent.startsWith(ownAgent),
  );
  const whole = new Set(
    deletions.flatMap(({ targetId, subTargetType }) => (subTargetType === undefined ? targetId : [])),
  );
  const counted = deletions.flatMap((event): ReportedDeletion[] => {
    const { time, targetName: name = "", environmentId, subTargetType } = event;
    const { id, what } = { id: event.targetId ?? event.id, what: event.targetType.toLowerCase() };
    const program = withoutSignature(event.userAgent);
    const about = { id, time, name, environmentId, program, who: event.who };
    if (subTargetType === undefined) return [{ ...about, key: id, what }];
    return whole.has(id)
      ? []
      : [{ ...about, key: event.id, what: `${subTargetType.toLowerCase()} of ${what}` }];
  });
  return [...new Map(counted.map((each) => [each.key, each])).values()];
}

function pathOf(organizationId: string): string {
  return `/organization/${organizationId}/events`;
}

/** Follows the events of an organization. */
export class EventLog {
  /** Times of the events in the overlap, by id. */
  #known: ReadonlyMap<string, number> | undefined;
  /** When the events were read last, by the clock of the server. */
  #looked = -Infinity;

  /** Reads the events since the last time: one request as a rule. @param age of answers that the client takes from others, in milliseconds */
  async refresh(
    client: Client,
    organizationId: string,
    age = 0,
  ): Promise<{
    /** `gap`: events before may be missing; `no_events`: the server returns no events to this token. */
    state: "whole" | "gap" | "no_events";
    events: readonly AuditEvent[];
    /** All events that were read. */
    read: readonly AuditEvent[];
  }> {
    try {
      const read = await readBack(client, pathOf(organizationId), this.#known, this.#looked);
      // Older events were there at the last read; they are on the same page if few events come.
      const late = Math.max(...(this.#known?.values() ?? []), this.#looked) - overlap;
      this.#looked = client.serverTime - age;
      const before = this.#known;
      this.#known = read && inOverlap(read, before);
      // After a gap everything is read, but lists may still lack the latest changes.
      const isNew = ({ id, time }: AuditEvent) =>
        before ? !before.has(id) && time >= late : time > this.#looked - settling;
      const events = (read ?? []).filter(isNew);
      return { state: read && before ? "whole" : "gap", events, read: read ?? [] };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#known = undefined;
      if (error instanceof ForbiddenError || error instanceof NotFoundError)
        return { state: "no_events", events: [], read: [] };
      throw error;
    }
  }
}

/** The times of events that the next look may list again, by id. @param before those of the look before */
function inOverlap(
  events: readonly AuditEvent[],
  before: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const all = new Map([...before, ...events.map(({ id, time }) => [id, time] as const)]);
  const newest = Math.max(...all.values());
  return new Map([...all].filter(([, time]) => time >= newest - 2 * overlap));
}
