import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Board } from "../board.ts";
import { standingStates } from "../../decide/index.ts";
import { statusOf } from "../status.ts";
import { may } from "../../people/index.ts";
import { seenBy } from "../seen.ts";
import { addEntrance, addWishes, entranceOf, type PagePeople } from "./people.ts";
import { addSessions, originOf } from "./sessions.ts";
import type { Visitor } from "./wishes.ts";
import { pagePolicy, renderFrame } from "./frame.ts";
import { renderHistory } from "./history.ts";
import type { Metrics } from "./metrics.ts";
import { renderOverview, type Selection } from "./overview.ts";
import { Streams } from "./streams.ts";
import { healthWords, readyWords } from "./words.ts";

/** How the page is served. */
export interface PageSettings extends PagePeople {
  board: Board;
  metrics: Metrics;
  host: string;
  /** 0: a free one. */
  port: number;
  /** Ends the service. */
  signal: AbortSignal;
}

/** A page that is served. */
export interface ServedPage {
  url: string;
  close(): Promise<void>;
}

/** Serves what people and programs may see, and takes what people who may act ask for. */
export async function servePage(settings: PageSettings): Promise<ServedPage> {
  const { board, gate, host, port } = settings;
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 4096,
    return503OnClosing: false,
    // Says no more than whether the browser speaks TLS with a proxy.
    trustProxy: true,
  });
  app.decorateRequest("from", "");
  // At once: whoever ends the connection while the answer is made leaves an address, too.
  app.addHook("onRequest", async (request) => void (request.from = originOf(request)));
  await addSessions(app);
  const streams = new Streams(board);
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("content-security-policy")) reply.header("content-security-policy", pagePolicy);
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-frame-options", "DENY");
    reply.header("referrer-policy", "no-referrer");
    reply.header("cross-origin-resource-policy", "same-origin");
    reply.header("cache-control", "no-store");
  });
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const { statusCode = 500, message } = error;
    if (statusCode >= 500) settings.onError(error);
    return reply
      .code(statusCode)
      .type(plain)
      .send(statusCode >= 500 ? "The service could not do this.\n" : `${message}\n`);
  });
  addHealth(app, settings);
  addEntrance(app, settings);
  app.decorateRequest("person");
  void app.register(async (inside) => {
    inside.addHook("onRequest", async (request, reply) => {
      const person = await gate.personOf(request.headers, request.session.identity);
      if (person === "wrong_host")
        return reply.code(421).type(plain).send("This page has another address.\n");
      if (!person) return refuse(request, reply, settings);
      request.person = person;
      return undefined;
    });
    addPages(inside, settings);
    addWishes(inside, settings, () => board.view());
    inside.get("/events", (request, reply) => streams.open(request, reply));
  });
  await app.listen({ host, port });
  // The page alone keeps no process alive: a service that can never go on has to end, so that a supervisor starts it again.
  app.server.unref();
  const address = app.server.address();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${typeof address === "object" && address ? address.port : port}`,
    async close() {
      streams.close();
      await app.close();
    },
  };
}

const plain = "text/plain; charset=utf-8";
const page = "text/html; charset=utf-8";

/** The pages that tell of all environments at once. */
const ofEverything: ReadonlySet<string> = new Set(["/history", "/plans/:id", "/metrics", "/audit"]);

/** What a supervisor asks: it needs no token, and learns whether the loop is alive, and what it waits for. */
function addHealth(app: FastifyInstance, { board, signal }: PageSettings): void {
  app.get("/healthz", (_request, reply) =>
    board.isAlive()
      ? reply.type(plain).send(`${healthWords(board.view())}\n`)
      : reply.code(503).type(plain).send("the loop has given no sign of life for ten minutes\n"),
  );
  app.get("/readyz", (_request, reply) =>
    signal.aborted
      ? reply.code(503).type(plain).send("ending\n")
      : reply.type(plain).send(`${readyWords(board.view())}\n`),
  );
}

function addPages(app: FastifyInstance, { board, metrics, desk, gate, signIn }: PageSettings): void {
  app.get("/", async (request, reply) => {
    const { person, session } = request;
    const view = seenBy(board.view(), person);
    const isSignedIn = session.identity !== undefined;
    const { told } = session;
    // A script that fetches the page anew takes nothing away from the reader.
    if (told && request.headers["sec-fetch-mode"] !== "cors") session.set("told", undefined as never);
    const visitor: Visitor = {
      person,
      known: desk.known(),
      proof: isSignedIn ? reply.generateCsrf() : "",
      isSignedIn,
      canSignIn: !isSignedIn && ((await gate.takesTokens()) || (await signIn()) !== undefined),
      ...(told && { told }),
    };
    const { title, body } = renderOverview(view, selectionIn(request), visitor);
    return reply.type(page).send(renderFrame(title, body, view.source, "/"));
  });
  app.addHook("preHandler", async (request, reply) => {
    const { url = "" } = request.routeOptions;
    if (!ofEverything.has(url) || may(request.person, "see", [])) return undefined;
    return reply.code(403).type(plain).send("Only who sees everything sees this.\n");
  });
  app.get("/history", (request, reply) => {
    const { source, now } = board.view();
    const content = renderHistory(board.history.entries(), selectionIn(request).page, now);
    return reply.type(page).send(renderFrame("History", content, source, "/history"));
  });
  app.get("/plans/:id", async (request, reply) => {
    const { id } = request.params as { id: string };
    const document = /^\d{1,15}$/.test(id) ? await board.history.plan(Number(id)) : undefined;
    if (document === undefined) return reply.code(404).type(plain).send("This plan is not kept any more.\n");
    // The document brings a policy of its own, with the hash of its script.
    reply.header("content-security-policy", "frame-ancestors 'none'; form-action 'none'");
    return reply.type(page).send(document);
  });
  app.get("/status.json", (request) => statusOf(seenBy(board.view(), request.person)));
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.read()));
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { gate, signIn }: PagePeople,
): Promise<FastifyReply> {
  reply.code(401).header("www-authenticate", "Bearer");
  if (!(request.headers.accept ?? "").includes("text/html"))
    return reply.type(plain).send("a token is needed\n");
  return reply.type(page).send(await entranceOf({ gate, signIn }));
}

function selectionIn(request: FastifyRequest): Selection {
  const query = request.query as Record<string, string | string[] | undefined>;
  const one = (name: string) => [query[name] ?? ""].flat()[0] ?? "";
  const number = Number(one("page"));
  return {
    search: one("q").slice(0, 200),
    state: standingStates.find((state) => state === one("state")),
    page: Number.isSafeInteger(number) && number > 0 ? number : 1,
  };
}
