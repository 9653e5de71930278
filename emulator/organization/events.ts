import { organizationOf } from "../http/lookup.ts";
import { get } from "../http/routing.ts";
import type { Call, Route } from "../http/routing.ts";
import type { Event } from "../world/events.ts";
import { eventPage } from "./event-page.ts";

/** The audit log of an organization. */
export const eventRoutes: Route[] = [
  get("/organization/{organizationId}/events", (call) =>
    eventPage(disturbed(call.world.events.of(organizationOf(call).id), call), call.query, call.address),
  ),
];

/** Events, newest first. A fault can hide the newest one, or swap each pair. */
function disturbed(events: Event[], call: Call): Event[] {
  if (call.events === "late") return events.slice(1);
  if (call.events !== "reordered") return events;
  return events.map((event, index) => events[index % 2 === 0 ? index + 1 : index - 1] ?? event);
}
