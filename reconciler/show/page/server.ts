import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Board } from "../board.ts";
import { standingStates } from "../../decide/index.ts";
import { statusOf } from "../status.ts";
import { type Access, entrance, judge } from "./access.ts";
import { pagePolicy, renderEntrance, renderFrame } from "./frame.ts";
import { renderHistory } from "./history.ts";
import type { Metrics } from "./metrics.ts";
import { renderOverview, type Selection } from "./overview.ts";
import { Streams } from "./streams.ts";
import { healthWords } from "./words.ts";

/** How the page is served. */
export interface PageSettings {
  board: Board;
  metrics: Metrics;
  access: Access;
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

/** Serves what people and programs may see. Nothing can be changed here. */
export async function servePage(settings: PageSettings): Promise<ServedPage> {
  const { board, access, host, port } = settings;
  const app = fastify({ forceCloseConnections: true, bodyLimit: 4096, return503OnClosing: false });
  const streams = new Streams(board);
  app.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("content-security-policy")) reply.header("content-security-policy", pagePolicy);
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-frame-options", "DENY");
    reply.header("referrer-policy", "no-referrer");
    reply.header("cross-origin-resource-policy", "same-origin");
    reply.header("cache-control", "no-store");
  });
  addHealth(app, settings);
  if (access.type === "token") addEntrance(app, access.file);
  void app.register(async (inside) => {
    inside.addHook("onRequest", async (request, reply) => {
      const verdict = await judge(access, request.headers);
      if (verdict === "wrong_host")
        return reply.code(421).type(plain).send("This page has another address.\n");
      if (verdict === "unknown") return refuse(request, reply);
      return undefined;
    });
    addPages(inside, settings);
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

/** What a supervisor asks: it needs no token, and learns whether the loop is alive, and what it waits for. */
function addHealth(app: FastifyInstance, { board, signal }: PageSettings): void {
  app.get("/healthz", (_request, reply) =>
    board.isAlive()
      ? reply.type(plain).send(`${healthWords(board.view())}\n`)
      : reply.code(503).type(plain).send("the loop has given no sign of life for ten minutes\n"),
  );
  app.get("/readyz", (_request, reply) =>
    signal.aborted ? reply.code(503).type(plain).send("ending\n") : reply.type(plain).send("ok\n"),
  );
}

function addPages(app: FastifyInstance, { board, metrics }: PageSettings): void {
  app.get("/", (request, reply) => {
    const { source, ...view } = board.view();
    const { title, body } = renderOverview({ source, ...view }, selectionIn(request));
    return reply.type(page).send(renderFrame(title, body, source, "/"));
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
  app.get("/status.json", () => statusOf(board.view()));
  app.get("/metrics", async (_request, reply) => reply.type(metrics.contentType).send(await metrics.read()));
}

function addEntrance(app: FastifyInstance, file: string): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
  );
  app.post("/enter", async (request, reply) => {
    const given = request.body instanceof URLSearchParams ? (request.body.get("token") ?? "") : "";
    // Behind a proxy that ends TLS, the cookie travels over TLS only.
    const isSecure = request.headers["x-forwarded-proto"] === "https";
    const cookie = await entrance(file, given, isSecure);
    if (cookie === undefined) return reply.code(401).type(page).send(renderEntrance(true));
    return reply.header("set-cookie", cookie).redirect("/", 303);
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(401).header("www-authenticate", "Bearer");
  const wantsPage = (request.headers.accept ?? "").includes("text/html");
  return wantsPage
    ? reply.type(page).send(renderEntrance(false))
    : reply.type(plain).send("a token is needed\n");
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
