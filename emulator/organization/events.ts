import { organizationOf } from "../http/lookup.ts";
import { get, type Call, type Route } from "../http/routing.ts";
import type { Event } from "../world/events.ts";
import { HttpError } from "../world/errors.ts";

type EventQuery = Record<string, string | undefined>;

const DEFAULT_PAGE_SIZE = 10;
const MAXIMUM_PAGE_SIZE = 100;

// The query parameters for one value of a member.
const filters: [parameter: string, member: keyof Event][] = [
  ["eventType", "event_type"],
  ["targetType", "target_type"],
  ["targetId", "target_id"],
  ["subTargetType", "sub_target_type"],
  ["triggeredBy", "triggered_by"],
  ["origin", "origin"],
  ["serviceProjectId", "project_id"],
  ["serviceEnvironmentId", "environment_id"],
];

/** One page of the events that match a query, with links to the pages before and after. */
function eventPage(events: Event[], query: EventQuery, address: string) {
  const found = select(events, query);
  const size = pageSize(query["pageSize"]);
  const start = startOf(found, query, size);
  const page = found.slice(start, start + size);
  return {
    links: {
      ...(start > 0 && { previous: link(address, query, "stepBackToken", page[0]) }),
      ...(start + size < found.length && { next: link(address, query, "continueToken", page.at(-1)) }),
    },
    organization_max_limit_reached: false,
    events: page,
  };
}

function select(events: Event[], query: EventQuery): Event[] {
  const from = timeOf("fromTimestamp", query) ?? -Infinity;
  const to = timeOf("toTimestamp", query) ?? Infinity;
  const desired = filters.filter(([parameter]) => query[parameter] !== undefined);
  return events.filter((event) => {
    const time = Date.parse(event.timestamp);
    if (time < from || time > to) return false;
    return desired.every(([parameter, member]) => event[member] === query[parameter]);
  });
}

/** ISO 8601, or Unix time in seconds or milliseconds. */
function timeOf(parameter: string, query: EventQuery): number | undefined {
  const text = query[parameter];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return number < 1e11 ? number * 1000 : number;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new HttpError(400, `${parameter}: must be an ISO 8601 or a Unix time`);
  return time;
}

function pageSize(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PAGE_SIZE;
  const size = Number(text);
  if (!Number.isInteger(size) || size < 1)
    throw new HttpError(400, "pageSize: must be an integer, at least 1");
  return Math.min(size, MAXIMUM_PAGE_SIZE);
}

function startOf(found: Event[], { continueToken, stepBackToken }: EventQuery, size: number): number {
  if (continueToken !== undefined) return indexOf(found, "continueToken", continueToken) + 1;
  if (stepBackToken === undefined) return 0;
  return Math.max(0, indexOf(found, "stepBackToken", stepBackToken) - size);
}

/** A page token is the unique time of the event at the edge of a page, so that new events move no page. */
function indexOf(found: Event[], parameter: string, token: string): number {
  const index = found.findIndex(({ timestamp }) => timestamp === token);
  if (index === -1) throw new HttpError(400, `${parameter}: is not a page token of this list`);
  return index;
}

function link(address: string, query: EventQuery, parameter: string, edge: Event | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== "continueToken" && name !== "stepBackToken")
      parameters.set(name, value);
  }
  parameters.set(parameter, edge?.timestamp ?? "");
  return `${address}?${parameters.toString()}`;
}

export const eventRoutes: Route[] = [
  get("/organization/{organizationId}/events", (call) =>
    eventPage(disturbed(published(call), call), queryOf(call), call.address),
  ),
];

/** The events that the server already shows. */
function published(call: Call): Event[] {
  const { clock, events, behaviour } = call.world;
  const until = clock.now() - (behaviour.event_delay_ms ?? 0);
  return events.of(organizationOf(call).id).filter(({ timestamp }) => Date.parse(timestamp) <= until);
}

/** Events, newest first. A fault can hide the newest one, swap each pair, list each twice, or leave whole seconds of their times. */
function disturbed(events: Event[], call: Call): Event[] {
  switch (call.events) {
    case "late":
      return events.slice(1);
    case "reordered":
      return events.map((event, index) => events[index % 2 === 0 ? index + 1 : index - 1] ?? event);
    case "equal":
      return events.map((event) => ({ ...event, timestamp: event.timestamp.replace(/\.\d+Z$/, "Z") }));
    case "twice":
      return events.flatMap((event) => [event, event]);
    case "single":
    case undefined:
      return events;
    default:
      return call.events satisfies never;
  }
}

/** The query of a request; a fault can ask for a single event a page. */
function queryOf({ events, query }: Call): Call["query"] {
  return events === "single" ? { ...query, pageSize: "1" } : query;
}
