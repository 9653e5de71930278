import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import got from "got";
import type { Request } from "got";
import type { RequestLine } from "./operation.ts";
import type { Proxy } from "./proxy.ts";
import { codeOf } from "../values/error-code.ts";

export interface OutgoingRequest {
  method: RequestLine["method"] | "PATCH";
  url: URL;
  body?: unknown | undefined;
  /** The body as a text, in place of JSON. */
  text?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The media type of the answer; default: JSON. */
  accept?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The server's note about the run that sends it, behind the name of the program; default: none. */
  signature?: string | undefined;
  /** The name of the program; default: that of the transport. */
  program?: string | undefined;
}

/** The headers of an answer, by lower-case name. */
export type Headers = Record<string, string | undefined>;

/** A complete answer with any status. */
export interface HttpAnswer {
  kind: "answer";
  status: number;
  headers: Headers;
  body: Buffer;
  /** Undefined in tests. */
  route?: NetworkRoute;
}

/** The route of requests. */
export interface NetworkRoute {
  /** As in `https://api.example.com`. */
  server: string;
  proxy: Proxy | undefined;
}

export interface NoAnswer {
  kind: "none";
  reason: "connection" | "timeout" | "size" | "aborted";
  /** False: there never was a connection, so the request was certainly not carried out. */
  sent: boolean;
  /** Of an answer that broke off. */
  headers: Headers;
  error: unknown;
  route: NetworkRoute;
}

/** Sends one request, once. */
export type Send = (outgoing: OutgoingRequest) => Promise<HttpAnswer | NoAnswer>;

// Servers close idle connections, most after five seconds or more; a write must not be sent at that moment.
const IDLE_CONNECTION = 4000;
const CONNECT_TIMEOUT = 10_000;
// got has limits of its own, which name the phase that took too long. This one counts when they do not.
const GRACE = 1000;

/** The transport over got: no repetition, no redirect, certificates always verified. */
export function createTransport({
  authorization,
  program = "infrasync",
  proxy,
  requestTimeout,
  maxResponseSize,
}: {
  authorization?: string;
  /** The name of the program, as the server notes it. Default: `infrasync`. */
  program?: string;
  proxy: Proxy | undefined;
  requestTimeout: number;
  maxResponseSize: number;
}): Send {
  const agentOptions = { keepAlive: true, timeout: IDLE_CONNECTION, proxyEnv: proxy?.environment };
  const http = new HttpAgent(agentOptions);
  let secure: https.Agent | undefined;
  // `node:https` is loaded when the first request needs it.
  const agentFor = ({ protocol }: URL) =>
    protocol === "https:" ? { https: (secure ??= new https.Agent(agentOptions)) } : { http };
  const client = got.extend({
    followRedirect: false,
    headers: { accept: "application/json", ...(authorization && { authorization }), "user-agent": program },
    https: { rejectUnauthorized: true },
    retry: { limit: 0 },
    throwHttpErrors: false,
    timeout: {
      lookup: CONNECT_TIMEOUT,
      connect: CONNECT_TIMEOUT,
      secureConnect: CONNECT_TIMEOUT,
      request: requestTimeout,
    },
  });

  return async ({ method, url, body, text, headers: more, accept, signal, signature, program: sender }) => {
    const headers = {
      ...more,
      ...(accept !== undefined && { accept }),
      ...(signature !== undefined && { "user-agent": `${sender ?? program} (${signature})` }),
    };
    const stream = client.stream(url, {
      method,
      json: body,
      body: text,
      signal,
      headers,
      agent: agentFor(url),
    });
    const connection = watchConnection(stream, url.protocol === "https:");
    const limit = proxy && limitConnecting(stream, connection, Math.min(CONNECT_TIMEOUT, requestTimeout));
    const end = endAnyway(stream, requestTimeout + GRACE);
    if (body === undefined && text === undefined && method !== "GET") stream.end();
    const route = { server: url.origin, proxy };
    const none = (reason: NoAnswer["reason"], error: unknown): NoAnswer => ({
      kind: "none",
      reason,
      sent: connection.made,
      headers: plainHeaders(stream.response?.headers ?? {}),
      error,
      route,
    });
    try {
      const received = await Promise.race([readBody(stream, maxResponseSize), end.reached]);
      if (received === "too large") return none("size", new Error(`more than ${maxResponseSize} bytes`));
      const response = stream.response;
      if (!response) return none("connection", new Error("The connection was closed without an answer"));
      const { statusCode: status } = response;
      return { kind: "answer", status, headers: plainHeaders(response.headers), body: received, route };
    } catch (error) {
      if (signal?.aborted) return none("aborted", error);
      return none(codeOf(error) === "ETIMEDOUT" ? "timeout" : "connection", error);
    } finally {
      clearTimeout(limit);
      end.clear();
    }
  };
}

async function readBody(stream: Request, maxSize: number): Promise<Buffer | "too large"> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxSize) return "too large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Ends a request whose promise never settles, because the server switches to another protocol (101). */
function endAnyway(stream: Request, limit: number): { reached: Promise<never>; clear(): void } {
  const { promise: reached, reject } = Promise.withResolvers<never>();
  const end = (error: Error): void => {
    reject(error);
    stream.destroy(error);
  };
  stream.on("request", (request) => {
    request.once("upgrade", (_response: IncomingMessage, socket: Socket) => {
      socket.destroy();
      end(new Error("the server wants to switch to another protocol (101)"));
    });
  });
  const timer = setTimeout(() => {
    const error = new Error(`nothing ended the request within ${limit} ms`);
    end(Object.assign(error, { code: "ETIMEDOUT" }));
  }, limit);
  // A caller with an answer ignores this rejection.
  reached.catch(() => undefined);
  return { reached, clear: () => clearTimeout(timer) };
}

function plainHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}

/** Notices the connection: from then on the request may be carried out. */
function watchConnection(stream: Request, isSecure: boolean): { made: boolean } {
  const connection = { made: false };
  stream.on("request", (request) => {
    request.once("socket", (socket: Socket) => {
      // A reused connection exists already.
      connection.made = !socket.connecting;
      if (connection.made) return;
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        connection.made = true;
      });
    });
  });
  return connection;
}

/** Through a tunnel, a request has no socket before the handshake, and got's limits are those of a socket. */
function limitConnecting(
  stream: Request,
  connection: { readonly made: boolean },
  limit: number,
): NodeJS.Timeout {
  const error = Object.assign(new Error(`no connection through the proxy within ${limit} ms`), {
    code: "ETIMEDOUT",
  });
  return setTimeout(() => {
    if (!connection.made) stream.destroy(error);
  }, limit);
}
