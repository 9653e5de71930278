import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { Socket } from "node:net";
import fastify from "fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requireScope, scopesFor } from "../http/access.ts";
import { answered } from "../http/answers.ts";
import { controls } from "../control/routes.ts";
import { errorBody, HttpError } from "../world/errors.ts";
import { requirePermission } from "../http/permissions.ts";
import { admit, announce, respond, strike, type Exchange, type ServerParts } from "./exchange.ts";
import { acceptBodies, BODY_LIMIT } from "../http/body.ts";
import { refuseForeign, requireControlHeader } from "../http/guard.ts";
import { routes } from "../routes.ts";
import { unserved } from "../unserved-operations.ts";
import type { Call, Route } from "../http/routing.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    control?: true;
    accepts?: string;
  }
}

/** The requests under way. */
const exchanges = new WeakMap<IncomingMessage, Exchange>();

const servedBy = new WeakMap<IncomingMessage, ServerParts>();

// An idle connection stays open: a client that was busy for a while would send its next request into a closed one.
const connections = { keepAliveTimeout: 0, requestTimeout: 0 };

let sharedHandler: Promise<RequestListener> | undefined;

/** The API and its control surface as an HTTP server that does not listen yet. */
export async function createServer(served: ServerParts): Promise<Server> {
  const handle = await (sharedHandler ??= createHandler());
  const server = createHttpServer(connections, (request, response) => {
    servedBy.set(request, served);
    handle(request, response);
  });
  return server.on("clientError", answerBadHttp);
}

/** Handles the requests to all servers of the process: registering the routes takes most of the time of a start. */
async function createHandler(): Promise<RequestListener> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 10_000 },
    frameworkErrors: (error, request, reply) => {
      const served = servedTo(request);
      announce(reply, served.limits.unspent(), served.world);
      answerError(error, reply);
    },
  });
  acceptBodies(app);
  app.setErrorHandler((error, request, reply) => {
    const isMissing = error instanceof HttpError && error.status === 404 && !request.is404;
    const forbidden = isMissing && servedTo(request).world.behaviour.forbidden_for_missing;
    answerError(forbidden ? new HttpError(403, "access to this resource is denied") : error, reply);
  });
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply));

  app.addHook("onRequest", async (request, reply) => {
    refuseForeign(request);
    if (isControl(request)) {
      requireControlHeader(request);
      return undefined;
    }
    const served = servedTo(request);
    const entry = served.journal.open(request.method, request.url);
    const exchange: Exchange = { entry, startedAt: performance.now() };
    exchanges.set(request.raw, exchange);
    admit(exchange, request, reply, served);
    return (await strike(exchange, request, reply, served)) ? reply : undefined;
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const exchange = exchanges.get(request.raw);
    return exchange ? respond(exchange, reply, payload, servedTo(request)) : payload;
  });

  for (const { method, path, status, run } of controls) {
    app.route({
      method,
      url: path,
      config: { control: true },
      handler: async (request, reply) => {
        refuseQuery(request);
        const served = servedTo(request);
        const body = run(served, request.body);
        if (method !== "GET") await served.save();
        return reply.code(status).send(body);
      },
    });
  }
  for (const route of [...routes, ...unserved]) register(app, route);
  await app.ready();
  return app.routing;
}

function servedTo({ raw }: FastifyRequest): ServerParts {
  const served = servedBy.get(raw);
  if (!served) throw new Error("the request has come from no server of the emulator");
  return served;
}

function register(app: FastifyInstance, route: Route): void {
  const scopes = scopesFor(route.method, route.path);
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: route.accepts === undefined ? {} : { accepts: route.accepts },
    handler: async (request, reply) => {
      const served = servedTo(request);
      const { world } = served;
      const { token, fault } = exchanges.get(request.raw) ?? {};
      if (!token) throw new HttpError(401, "the request has not passed the access check");
      if (world.behaviour.missing_operations?.includes(`${route.method} ${route.path}`))
        throw new HttpError(404, `there is no path ${route.path}`);
      const call = callOf(request, token, world);
      if (token.spec.role === "Custom")
        requirePermission(
          token.spec,
          { ...route, ...call, parameters: Object.values(parametersOf(request)) },
          world,
        );
      else requireScope(token, scopes, world);
      const { anonymous_events } = world.behaviour;
      world.actor = {
        name: token.name,
        userAgent: anonymous_events ? undefined : request.headers["user-agent"],
      };
      const events = fault?.events;
      world.events.muted = events === "missing";
      let body: unknown;
      try {
        body = route.run({
          ...call,
          failsDeployment: fault?.fail_deployment ?? false,
          ...(events !== undefined && events !== "missing" && { events }),
        });
      } finally {
        world.events.muted = false;
      }
      if (route.method !== "GET") await served.save();
      if (route.type !== undefined) void reply.type(route.type);
      const answer = answered(route, { status: route.status, body }, world.behaviour);
      return reply.code(answer.status).send(answer.body);
    },
  });
}

/** Whether a request is for the control surface. Uses its route, because a path has several spellings, or else its path. */
function isControl({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.config.control === true || url.startsWith("/_emulator/");
}

/** Throws 400 for any query parameter, because the control surface has none. */
function refuseQuery({ query }: FastifyRequest): void {
  const names = Object.keys(query as object);
  if (names.length === 0) return;
  throw new HttpError(400, `the control surface has no query parameter ${names.join(", ")}`);
}

function callOf(request: FastifyRequest, token: Call["token"], world: Call["world"]) {
  const [path = ""] = request.url.split("?");
  return {
    world,
    token,
    param: (name: string) => parametersOf(request)[name] ?? "",
    query: single(request.query as Record<string, string | string[]>),
    body: request.body,
    address: `http://${request.host}${path}`,
  };
}

function parametersOf({ params }: FastifyRequest) {
  return params as Record<string, string>;
}

/** The last value of a repeated parameter counts. */
function single(query: Record<string, string | string[]>): Call["query"] {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1) : value]),
  );
}

function answerError(error: unknown, reply: FastifyReply): void {
  const status = statusOf(error);
  void reply.code(status).send(errorBody(status, messageOf(error, status)));
}

function messageOf(error: unknown, status: number): string {
  if (status === 415) return "send the body as JSON, with Content-Type: application/json";
  if (status === 413) return `the body is larger than ${BODY_LIMIT} bytes`;
  return error instanceof Error ? error.message : String(error);
}

function statusOf(error: unknown): number {
  if (error instanceof HttpError) return error.status;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" ? status : 500;
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const [path = "/"] = request.url.split("?");
  const methods = [...controls, ...routes, ...unserved].flatMap((route) =>
    new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`).test(path) ? route.method : [],
  );
  if (methods.length === 0) throw new HttpError(404, `there is no path ${path}`);
  const allowed = [...new Set(methods)].join(", ");
  void reply.header("allow", allowed);
  throw new HttpError(405, `${request.method} is not allowed on ${path}; ${allowed} can be used`);
}

/** Answers invalid HTTP with the error body too, if the connection still accepts data. */
function answerBadHttp(_error: Error, socket: Socket): void {
  if (!socket.writable) return;
  const body = JSON.stringify(errorBody(400, "the request is not valid HTTP"));
  const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
}
