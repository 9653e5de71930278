import { Server as HttpServer } from "node:http";
import type { Server, Socket } from "node:net";
import { InvalidInputError } from "../core/problems/problem.ts";
import { inSentence } from "../core/values/text.ts";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The most bytes of the headers of a request: Git hosts and browsers send less than half of it. */
const mostHeaderBytes = 8192;

/** How long whoever connects may take, in milliseconds, and the size of a header: the same for all that listens. */
export const requestLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** How often Node looks for requests that take longer; its own default makes 10 seconds 40. */
  connectionsCheckingInterval: 1000,
  maxHeaderSize: mostHeaderBytes,
};

/** The same for a server of fastify, which sets a time for requests of its own. */
export const fastifyLimits = {
  http: requestLimits,
  requestTimeout: requestLimits.requestTimeout,
  bodyLimit: 4096,
  forceCloseConnections: true,
  // Fastify answers a path that cannot be decoded in a form of its own.
  rewriteUrl: ({ url = "/" }: { url?: string | undefined }) => (isDecodable(url) ? url : "/no/path"),
};

function isDecodable(url: string): boolean {
  try {
    return decodeURI(url.split("?")[0] ?? "") !== "";
  } catch {
    return false;
  }
}

const most = { all: 500, address: 100 };

/**
 * Bounds the open connections of a server, of which each takes a descriptor that git needs too: a new one ends the oldest, of
 * its address or of all, and one that has sent no whole request before one that is answered. A client that opens many and
 * sends nothing loses them, and others are still served. One that asks nothing in the time of a header is ended, too.
 */
export function boundConnections<Listening extends Server>(server: Listening): Listening {
  /** Oldest first, and whether it has sent a request. */
  const open = new Map<Socket, boolean>();
  const requested = (socket: Socket) => {
    if (open.has(socket)) open.set(socket, true);
  };
  server.on("request", ({ socket }: { socket: Socket }) => requested(socket));
  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    const own = [...open].filter(([each]) => each.remoteAddress === remoteAddress);
    const bounded = own.length >= most.address ? own : open.size >= most.all ? [...open] : [];
    const [oldest] = bounded.find(([, hasRequested]) => !hasRequested) ?? bounded[0] ?? [];
    oldest?.destroy();
    open.set(socket, false);
    // Without http, whatever is sent asks.
    if (!(server instanceof HttpServer)) socket.once("data", () => requested(socket));
    const end = () => void (open.get(socket) === false && socket.destroy());
    // Messages that came while the process was busy are read first.
    const timer = setTimeout(() => setImmediate(end), requestLimits.headersTimeout).unref();
    socket.once("close", () => {
      clearTimeout(timer);
      open.delete(socket);
    });
    if (oldest) open.delete(oldest);
  });
  return server;
}

/** Answers unknown paths, wrong methods and errors, each in the same form. The reason of a failure of the service is only logged, unless it is a file that cannot be read. */
export function answerFailures(
  app: FastifyInstance,
  onError: (error: unknown) => void,
  send: (request: FastifyRequest, reply: FastifyReply, status: number, message: string) => FastifyReply,
  wordsOf: (error: FastifyError) => string = ({ message }) => message,
): void {
  app.setNotFoundHandler((request, reply) => {
    const [url = "/"] = request.url.split("?");
    const allowed = (["GET", "HEAD", "POST"] as const).filter((method) => app.hasRoute({ method, url }));
    if (allowed.length === 0) return send(request, reply, 404, `nothing answers ${request.method} here`);
    void reply.header("allow", allowed.join(", "));
    return send(request, reply, 405, `only ${inSentence(allowed)} requests are answered here`);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isUnread = error instanceof InvalidInputError && error.problems[0]?.code === "unreadable";
    const { statusCode: status = isUnread ? 503 : 500 } = error;
    if (status >= 500) onError(error);
    const words = status === 500 ? "the service could not do this; see its log" : wordsOf(error);
    return send(request, reply, status, words);
  });
}
