import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { pagePolicy, renderStranger } from "./frame.ts";
import type { Json } from "../../../core/values/json.ts";
import { type Person, type SessionIdentity, within } from "../../people/index.ts";
import type { ShownSource } from "../shown-source.ts";
import { addPages } from "./pages.ts";
import { isOfBrowser, sendPage, sendRefusal, sendText } from "./reply.ts";
import { PassedRequests } from "./request-relay.ts";
import { addEntrance, addExit, entranceOf, type PagePeople } from "./people.ts";
import { addSessions, foreignRequest, identityNow, originOf, type SessionRecords } from "./sessions.ts";
import { answerFailures, boundConnections, fastifyLimits } from "../../listener.ts";
import { Streams } from "./streams.ts";
import { healthWords, readyWords } from "./words.ts";

/** Where pages are served, and to whom. */
export interface SiteSettings extends PagePeople {
  host: string;
  /** 0: a free one. */
  port: number;
  signal: AbortSignal;
  /** Default: in memory. */
  sessions?: SessionRecords | undefined;
}

export interface ServedPage {
  url: string;
  answer(source: string, request: Json): Promise<Json | undefined>;
  close(): Promise<void>;
}

/** The answers for supervisors, whose requests need no token. */
export interface Health {
  /** Undefined: the service is dead. */
  alive(): string | undefined;
  ready(): string;
}

/** Serves the visible state of a source to people and programs, and takes requests of permitted people. */
export function servePage(settings: SiteSettings & ShownSource): Promise<ServedPage> {
  const { board, metrics, userActions } = settings;
  const health: Health = {
    alive: () => (board.isAlive() ? healthWords(board.status()) : undefined),
    ready: () => readyWords(board.status()),
  };
  return serveSite(
    settings,
    health,
    (inside, streams) => {
      inside.addHook("onRequest", async (request) => {
        request.shown = { board, metrics, userActions };
      });
      addPages(inside, settings, streams);
    },
    (person) => within(person, undefined),
  );
}

/** Serves pages to people that the authorizer knows. @param add adds the pages @param here a person's roles in them */
export async function serveSite(
  settings: SiteSettings,
  health: Health,
  add: (inside: FastifyInstance, streams: Streams) => void,
  here: (person: Person) => Person = (person) => person,
): Promise<ServedPage> {
  const { gate, host, port } = settings;
  const app = fastify({
    return503OnClosing: false,
    // Tells only whether the browser speaks TLS with a proxy.
    trustProxy: true,
    ...fastifyLimits,
  });
  boundConnections(app.server);
  app.decorateRequest("from", "");
  // At once: a connection that ends before the answer still leaves an address.
  const passed = new PassedRequests();
  app.decorateRequest("passed");
  app.addHook("onRequest", async (request) => {
    request.passed = passed.of(request);
    request.from = request.passed?.from ?? originOf(request);
  });
  await addSessions(app, settings.clock, settings.sessions);
  const streams = new Streams(settings.clock);
  app.addHook("onSend", async (_request, reply, payload) => {
    if (!reply.hasHeader("content-security-policy")) reply.header("content-security-policy", pagePolicy);
    reply.header("x-content-type-options", "nosniff");
    reply.header("x-frame-options", "DENY");
    reply.header("referrer-policy", "no-referrer");
    reply.header("cross-origin-resource-policy", "same-origin");
    reply.header("cache-control", "no-store");
    return typeof payload === "string" ? settings.redact(payload) : payload;
  });
  answerFailures(app, settings.onError, sendRefusal, ({ code, message }) =>
    code?.startsWith("FST_CSRF_") ? foreignRequest : message,
  );
  addHealth(app, health, settings);
  addEntrance(app, settings);
  app.decorateRequest("person");
  app.decorateRequest("shown");
  app.decorateRequest("personNow");
  const personBy = async ({ headers }: FastifyRequest, identity: SessionIdentity | undefined) => {
    const person = await gate.personOf(headers, identity);
    return typeof person === "object" ? here(person) : person;
  };
  void app.register(async (inside) => {
    inside.addHook("onRequest", async (request, reply) => {
      const identity = request.passed ? request.passed.identity : request.session.identity;
      const person = await personBy(request, identity);
      if (person === "wrong_host") return sendRefusal(request, reply, 421, "this page has another address");
      if (!person) return refuse(request, reply, settings);
      request.person = person;
      request.personNow = async () => {
        const now = await personBy(request, await identityNow(request));
        return typeof now === "object" && now.grants.length > 0 ? now : undefined;
      };
      const isLeaving = request.routeOptions.url === "/sign-out";
      if (person.grants.length === 0 && !isLeaving) return refuseStranger(request, reply);
      return undefined;
    });
    addExit(inside, settings);
    add(inside, streams);
  });
  await app.listen({ host, port });
  // The page alone keeps no process alive: a service that cannot continue has to end, so that a supervisor restarts it.
  app.server.unref();
  const address = app.server.address();
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${typeof address === "object" && address ? address.port : port}`,
    answer: (source, request) => passed.answer(app, source, request),
    async close() {
      streams.close();
      await app.close();
    },
  };
}

function addHealth(app: FastifyInstance, health: Health, { signal }: SiteSettings): void {
  app.get("/healthz", (_request, reply) => {
    const words = health.alive();
    return words === undefined
      ? sendText(reply, "the service loop has not responded for ten minutes\n", 503)
      : sendText(reply, `${words}\n`);
  });
  app.get("/readyz", (_request, reply) =>
    signal.aborted ? sendText(reply, "ending\n", 503) : sendText(reply, `${health.ready()}\n`),
  );
}

/** Refuses a known person without a role, who may see nothing of the service. */
function refuseStranger(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { person, session } = request;
  const { name } = person.identity;
  if (!isOfBrowser(request))
    return sendRefusal(
      request,
      reply,
      403,
      `${name} has no role here; the operator of the service gives roles`,
    );
  const proof = session.identity === undefined ? undefined : reply.generateCsrf();
  return sendPage(reply, renderStranger(name, proof), 403);
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { gate, signIn }: PagePeople,
): Promise<FastifyReply> {
  reply.header("www-authenticate", "Bearer");
  return isOfBrowser(request)
    ? sendPage(reply, await entranceOf({ gate, signIn }), 401)
    : sendRefusal(request, reply, 401, "a token is needed");
}
