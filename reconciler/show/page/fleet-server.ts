import { counted } from "../../../core/values/text.ts";
import type { FastifyInstance } from "fastify";
import type { Identity } from "../../identity.ts";
import { may } from "../../people/index.ts";
import type { FleetBoard } from "../fleet-board.ts";
import { sourceStates } from "../status-form.ts";
import { metricsType } from "../metrics/measures.ts";
import type { ServedMetrics } from "../shown-source.ts";
import { type FleetSelection, renderFleet } from "./fleet-overview.ts";
import { sendPage, sendRefusal } from "./reply.ts";
import { isOfProgram, refuseForeign } from "./sessions.ts";
import { addPages, guestOf, selectionIn } from "./pages.ts";
import { passOn } from "./request-relay.ts";
import { type Health, type ServedPage, serveSite, type SiteSettings } from "./server.ts";
import type { Json } from "../../../core/values/json.ts";
import type { Streams } from "./streams.ts";
import { renderGuest } from "./user-actions.ts";

export interface FleetPageSettings extends SiteSettings {
  board: FleetBoard;
  metrics: ServedMetrics;
  /** Records that a person acknowledges the end of a source. Returns whether it was shown. */
  acknowledge(source: string, who: Identity, from: string): Promise<boolean>;
  /** Asks the worker of a source; undefined: no answer. Absent: this is the only worker. */
  ask?(source: string, request: Json): Promise<Json | undefined>;
}

/** Milliseconds within which changes are reported once: one of a thousand sources changes all the time. */
const gathering = 2000;
/** The same for the page of a source of another worker. */
const gatheringElsewhere = 5000;

/** Serves one page over all sources, and the pages of each. */
export function serveFleetPage(settings: FleetPageSettings): Promise<ServedPage> {
  const { board } = settings;
  const words = () => {
    const { running, silent } = board.life();
    return silent === 0
      ? "ok"
      : `ok, but ${silent} of ${counted(running, "source")} ${silent === 1 ? "does" : "do"} not respond`;
  };
  const health: Health = {
    // One source that hangs is no reason to end the others.
    alive() {
      const { running, silent } = board.life();
      return running > 0 && running === silent ? undefined : words();
    },
    ready: words,
  };
  return serveSite(settings, health, (inside, streams) => addFleet(inside, settings, streams));
}

function addFleet(app: FastifyInstance, settings: FleetPageSettings, streams: Streams): void {
  const { board, metrics } = settings;
  app.get("/", async (request, reply) => {
    const { search, page: number } = selectionIn(request);
    const { state, team } = request.query as Record<string, string | string[] | undefined>;
    const selection: FleetSelection = {
      search,
      page: number,
      state: sourceStates.find((each) => each === state),
      team: typeof team === "string" && team !== "" ? team : undefined,
    };
    const guest = await guestOf(request, reply, settings);
    const { proof } = guest;
    return sendPage(reply, renderFleet(board.status(request.person), selection, renderGuest(guest), proof));
  });
  app.post("/acknowledge", async (request, reply) => {
    const { source = "" } = (request.body ?? {}) as { source?: unknown };
    const isProgram = isOfProgram(request);
    if (!isProgram) await refuseForeign(app, request, reply);
    if (!may(request.person, "operate", []))
      return sendRefusal(request, reply, 403, "only people who may operate everything may do this");
    const isDone = await settings.acknowledge(String(source), request.person.identity, request.from);
    if (!isProgram) return reply.redirect("./", 303);
    return isDone
      ? { message: `the source ${String(source)} is no longer shown` }
      : sendRefusal(request, reply, 404, "no stopped source has this name");
  });
  app.get("/status.json", ({ person }) => board.status(person));
  app.get("/metrics", async (request, reply) =>
    may(request.person, "see", [])
      ? reply.type(metricsType).send(await metrics.read())
      : sendRefusal(request, reply, 403, "only people who may see everything may see this"),
  );
  app.get("/events", (request, reply) => streams.open(request, reply, board, gathering));
  void app.register(
    async (inside) => {
      inside.addHook("onRequest", async (request, reply) => {
        const { source } = request.params as { source: string };
        const path = request.url.split("?")[0];
        // The links of the pages are relative.
        if (request.method === "GET" && path === `/sources/${source}`)
          return reply.redirect(`/sources/${source}/`, 303);
        const found = board.sourceFor(source, request.person);
        const { personNow } = request;
        request.personNow = async () => {
          const person = await personNow();
          return (
            person &&
            (board.sourceFor(source, person)?.person ??
              (board.isElsewhere(source, person) ? person : undefined))
          );
        };
        if (!found && settings.ask && !request.passed && board.isElsewhere(source, request.person))
          return undefined;
        if (!found) return sendRefusal(request, reply, 404, "no source of this name runs here");
        request.shown = found.shown;
        request.person = found.person;
        return undefined;
      });
      inside.addHook("preHandler", async (request, reply) => {
        const { source } = request.params as { source: string };
        const { ask } = settings;
        if (request.shown || !ask) return undefined;
        // A page has its worker report changes: that of all sources stands for it.
        if (request.routeOptions.url?.endsWith("/events"))
          return streams.open(request, reply, board, gatheringElsewhere);
        return passOn(inside, settings, request, reply, (passed) => ask(source, passed));
      });
      addPages(inside, settings, streams);
    },
    { prefix: "/sources/:source" },
  );
}
