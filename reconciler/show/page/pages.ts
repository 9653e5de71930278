import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { syncStates } from "../../decide/index.ts";
import { may } from "../../people/index.ts";
import { seenBy } from "../visible-status.ts";
import { publishedJournal } from "../../journal/index.ts";
import { renderFrame } from "./frame.ts";
import { containedIn } from "../socket.ts";
import { renderJournal } from "./journal.ts";
import { metricsType } from "../metrics/measures.ts";
import { sendPage, sendRefusal, sendText } from "./reply.ts";
import type { ShownSource } from "../shown-source.ts";
import { renderOverview, type Selection } from "./overview.ts";
import { addUserActions, type PagePeople } from "./people.ts";
import type { Streams } from "./streams.ts";
import type { Guest, Visitor } from "./user-actions.ts";

declare module "fastify" {
  interface FastifyRequest {
    shown: ShownSource;
  }
}

/** Milliseconds within which changes of a source are reported once. */
const gathering = 200;

/** The pages about all environments at once. */
const ofEverything: ReadonlySet<string> = new Set([
  "/journal",
  "/journal.json",
  "/plans/:id",
  "/metrics",
  "/audit",
  "/audit.json",
]);

/** Adds the pages of a source, which each request names. */
export function addPages(app: FastifyInstance, people: PagePeople, streams: Streams): void {
  app.get("/", async (request, reply) => {
    const { person, session, shown } = request;
    const { board, userActions } = shown;
    board.looked("person");
    const status = seenBy(board.status(), person);
    const reported = request.passed ? request.passed.guest.reported : session.reported;
    // A script that fetches the page again must not consume the message for the reader.
    if (session.reported && request.headers["sec-fetch-mode"] !== "cors")
      session.set("reported", undefined as never);
    const known = userActions.known();
    const earlier = known.environments
      .filter(({ name }) => status.environments.some((each) => each.name === name))
      .flatMap((environment) => known.of(environment).commits);
    const visitor: Visitor = {
      ...(await guestOf(request, reply, people)),
      known,
      commits: await board.commits.of([
        status.commit,
        ...status.environments.map(({ applied }) => applied),
        ...earlier.map(({ commit }) => commit),
      ]),
      reported,
    };
    const { title, body } = renderOverview(status, selectionIn(request), visitor);
    return sendPage(reply, renderFrame(title, body, status.source, "./"));
  });
  app.addHook("preHandler", async (request, reply) => {
    const { url = "" } = request.routeOptions;
    if (!ofEverything.has(url.slice(app.prefix.length)) || may(request.person, "see", [])) return undefined;
    return sendRefusal(request, reply, 403, "only people who may see everything may see this");
  });
  app.get("/journal", async (request, reply) => {
    const { board } = request.shown;
    const { source, now } = board.status();
    const entries = board.journal.entries();
    const commits = await board.commits.of(
      entries.map((entry) => ("commit" in entry ? entry.commit : undefined)),
    );
    const content = renderJournal(entries, selectionIn(request).page, Date.parse(now), {
      commits,
      team: source.team,
    });
    return sendPage(reply, renderFrame("Journal", content, source, "journal"));
  });
  app.get("/journal.json", async ({ shown }) => publishedJournal(shown.board.journal.entries()));
  app.get("/audit.json", async ({ shown: { userActions } }) => {
    const { entries, damaged } = await userActions.audit.newest();
    return publishedJournal(entries, damaged);
  });
  app.get("/plans/:id", async (request, reply) => {
    const { id } = request.params as { id: string };
    const document = /^\d{1,15}$/.test(id) ? await request.shown.board.journal.plan(Number(id)) : undefined;
    return document === undefined
      ? sendRefusal(request, reply, 404, "this plan has expired")
      : sendText(reply, document);
  });
  app.get("/status.json", async ({ shown: { board }, person, query }) => {
    board.looked("program");
    return seenBy(await board.statusWith(containedIn(query)), person);
  });
  app.get("/metrics", async ({ shown: { metrics } }, reply) =>
    reply.type(metricsType).send(await metrics.read()),
  );
  addUserActions(app);
  app.get("/events", (request, reply) => streams.open(request, reply, request.shown.board, gathering));
}

/** The visitor of a page. */
export async function guestOf(
  { person, session, passed }: FastifyRequest,
  reply: FastifyReply,
  { gate, signIn }: Pick<PagePeople, "gate" | "signIn">,
): Promise<Guest> {
  if (passed) return { ...passed.guest, person };
  const isSignedIn = session.identity !== undefined;
  return {
    person,
    proof: isSignedIn ? reply.generateCsrf() : "",
    isSignedIn,
    canSignIn: !isSignedIn && ((await gate.takesTokens()) || (await signIn()) !== undefined),
  };
}

export function selectionIn(request: FastifyRequest): Selection {
  const query = request.query as Record<string, string | string[] | undefined>;
  const one = (name: string) => [query[name] ?? ""].flat()[0] ?? "";
  const number = Number(one("page"));
  return {
    search: one("q").slice(0, 200),
    state: syncStates.find((state) => state === one("state")),
    page: Number.isSafeInteger(number) && number > 0 ? number : 1,
  };
}
