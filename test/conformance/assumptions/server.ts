import type { Clock, createTransport } from "../../../core/api/index.ts";
import { Halted, NotKnown } from "./not-known.ts";

/** A request and its answer. */
export interface Exchange {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With the query. */
  path: string;
  status: number;
  /** The headers that the engine reads. */
  headers: Record<string, string>;
  /** The body of the answer: JSON, or a text; undefined for an empty one. */
  answer?: unknown | undefined;
}

/** The connection of cases to a server. */
export interface Connection {
  baseUrl: string;
  /** Sends with the token of that name; undefined if there is none. */
  transport(token: TokenName): ReturnType<typeof createTransport> | undefined;
  clock: Clock;
}

/** The tokens of a single scope. */
export const scopes = ["Read", "Deploy", "Write"] as const;

/** The token of the run, and those of a single scope. */
export type TokenName = "own" | (typeof scopes)[number];

const headersRead = ["date", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** A server as a case sees it: each request is sent once, and each answer is a finding, whatever its status. */
export class Server {
  readonly #connection: Connection;
  /** How many requests may still be sent. */
  #left = 0;
  /** How many have been sent. */
  spent = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get clock(): Clock {
    return this.#connection.clock;
  }

  /** Allows so many requests from now on. */
  allow(requests: number): void {
    this.#left = requests;
  }

  get(path: string): Promise<Exchange> {
    return this.send("GET", path);
  }

  /** @throws NotKnown if there is no answer, Halted if there is no use in sending more */
  async send(
    method: Exchange["method"],
    path: string,
    body?: unknown,
    token: TokenName = "own",
  ): Promise<Exchange> {
    if (this.#left === 0) throw new NotKnown(`${method} ${path} is one request more than planned`);
    this.#left -= 1;
    this.spent += 1;
    const { baseUrl, transport } = this.#connection;
    const send = transport(token);
    if (!send) throw new NotKnown(`there is no token with the scope ${token}`);
    const reply = await send({ method, url: new URL(baseUrl + path), body });
    if (reply.kind === "none") throw new NotKnown(`no answer to ${method} ${path} (${reply.reason})`);
    const headers = Object.fromEntries(
      headersRead.flatMap((name) => (reply.headers[name] === undefined ? [] : [[name, reply.headers[name]]])),
    );
    if (reply.status === 429) throw new Halted("the quota of the token is used up (429)");
    if (reply.status === 401) throw new Halted("the token is missing, unknown or expired (401)");
    return { method, path, status: reply.status, headers, answer: answerIn(reply.body) };
  }
}

function answerIn(body: Buffer): unknown {
  const text = body.toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
