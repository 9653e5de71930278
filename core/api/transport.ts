import { Agent as HttpAgent } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import got from "got";
import type { Request } from "got";
import type { Operation } from "./operation.ts";
import type { Proxy } from "./proxy.ts";

/** One request, as it goes out. */
export interface Outgoing {
  method: Operation["method"];
  url: URL;
  body?: unknown;
  signal?: AbortSignal;
}

/** The headers of an answer, by their names in lower case. */
export type Headers = Record<string, string | undefined>;

/** A complete answer, whatever its status. */
export interface Answer {
  kind: "answer";
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Which way requests go. */
export interface Route {
  /** As in `https://api.example.com`. */
  server: string;
  proxy: Proxy | undefined;
}

/** No complete answer. */
export interface NoAnswer {
  kind: "none";
  reason: "connection" | "timeout" | "size" | "aborted";
  /** False when there never was a connection to send the request on: it was certainly not carried out. */
  sent: boolean;
  /** Of an answer that broke off. */
  headers: Headers;
  error: unknown;
  route: Route;
}

/** Sends one request, once. */
export type Send = (outgoing: Outgoing) => Promise<Answer | NoAnswer>;

/** What the transport needs to know. */
export interface TransportSettings {
  authorization: string;
  proxy: Proxy | undefined;
  requestTimeout: number;
  maxResponseSize: number;
}

// Servers close idle connections, most after five seconds or more; a write must not meet that moment.
const IDLE_CONNECTION = 4000;
const CONNECT_TIMEOUT = 10_000;

/** The transport over got: no repetition, no redirect, certificates always verified. */
export function createTransport({
  authorization,
  proxy,
  requestTimeout,
  maxResponseSize,
}: TransportSettings): Send {
  const agentOptions = { keepAlive: true, timeout: IDLE_CONNECTION, proxyEnv: proxy?.environment };
  const agent = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  const client = got.extend({
    agent,
    followRedirect: false,
    headers: { accept: "application/json", authorization, "user-agent": "infrasync" },
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

  return async ({ method, url, body, signal }) => {
    const stream = client.stream(url, { method, json: body, signal });
    const connection = watchConnection(stream, url.protocol === "https:");
    const limit = proxy && limitConnecting(stream, connection, Math.min(CONNECT_TIMEOUT, requestTimeout));
    if (body === undefined && method !== "GET") stream.end();
    const none = (reason: NoAnswer["reason"], error: unknown): NoAnswer => ({
      kind: "none",
      reason,
      sent: connection.made,
      headers: plainHeaders(stream.response?.headers ?? {}),
      error,
      route: { server: url.origin, proxy },
    });
    try {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxResponseSize) return none("size", new Error(`more than ${maxResponseSize} bytes`));
        chunks.push(chunk);
      }
      const response = stream.response;
      if (!response) return none("connection", new Error("The connection was closed without an answer"));
      const { statusCode: status, headers } = response;
      return { kind: "answer", status, headers: plainHeaders(headers), body: Buffer.concat(chunks) };
    } catch (error) {
      if (signal?.aborted) return none("aborted", error);
      return none(codeOf(error) === "ETIMEDOUT" ? "timeout" : "connection", error);
    } finally {
      clearTimeout(limit);
    }
  };
}

/** The code of an error of the network (`ECONNRESET`), or undefined. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function plainHeaders(headers: IncomingHttpHeaders): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );
}

/** Notices when a connection is there to send on: from then on the request may be carried out. */
function watchConnection(stream: Request, isSecure: boolean): { made: boolean } {
  const connection = { made: false };
  stream.on("request", (request) => {
    request.once("socket", (socket: Socket) => {
      // A connection that is used again is there already.
      connection.made = !socket.connecting;
      if (connection.made) return;
      socket.once(isSecure ? "secureConnect" : "connect", () => {
        connection.made = true;
      });
    });
  });
  return connection;
}

/** Through a tunnel a request has no socket before the handshake is done, and got's own limits are those of a socket. */
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
