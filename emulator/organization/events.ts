import { organizationOf } from "../http/lookup.ts";
import { get, type Call, type Route } from "../http/routing.ts";
import type { Event } from "../world/events.ts";
import { eventPage } from "./event-page.ts";

/** The audit log of an organization. */
export const eventRoutes: Route[] = [
  get("/organization/{organizationId}/events", (call) =>
    eventPage(disturbed(published(call), call), queryOf(call), call.address),
  ),
];

/** The events that the server shows already. */
function published(call: Call): Event[] {
  const { clock, events, settings } = call.world;
  const until = clock.now() - (settings.behaviour.event_delay_ms ?? 0);
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
