import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { forward } from "../fixtures/forward.ts";

/**
 * A moment of a request: before the server receives it, after the server has carried it out, after its response has
 * arrived.
 */
export const moments = ["before", "done", "answered"] as const;
export type Moment = (typeof moments)[number];

/** Where to stop: at this moment of this request, counted from 1. */
export interface Boundary {
  request: number;
  moment: Moment;
}

/** Where to stop: at this moment of the first request such as `POST /job/1/clone`. */
export interface NamedBoundary {
  request: RegExp;
  moment: Moment;
}

/** A proxy between a process and a server that stops all traffic when a boundary is reached. */
export class Proxy {
  readonly url: string;
  readonly #server: Server;
  readonly #target: string;
  #boundary: Boundary | NamedBoundary | undefined;
  #count = 0;
  #isStopped = false;
  #reached: () => void = () => {};

  private constructor(server: Server, target: string) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#count += 1;
      this.#pass(this.#count, incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async open(target: string): Promise<Proxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Proxy(server, target);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests since the last call of `stopAt`. */
  get count(): number {
    return this.#count;
  }

  /** Counts from zero; resolves when the boundary is reached. Without a boundary all traffic passes. */
  stopAt(boundary?: Boundary | NamedBoundary): Promise<void> {
    this.#boundary = boundary;
    this.#count = 0;
    this.#isStopped = false;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  async #pass(number: number, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const desired = this.#boundary?.request;
    const isIt =
      desired instanceof RegExp ? desired.test(`${incoming.method} ${incoming.url}`) : desired === number;
    if (this.#stops(isIt, "before")) return;
    const { method = "", url: path = "", headers } = incoming;
    const answer = await forward(this.#target, { method, path, headers, body }).catch(() => undefined);
    if (this.#stops(isIt, "done")) return;
    if (answer) {
      outgoing
        .writeHead(answer.status, answer.headers)
        .end(answer.content, () => this.#stops(isIt, "answered"));
    } else {
      // A connection that breaks on one side breaks on the other.
      outgoing.destroy();
      this.#stops(isIt, "answered");
    }
  }

  /** Whether the traffic has stopped; a request in progress stops at its next step. */
  #stops(isIt: boolean, moment: Moment): boolean {
    if (!this.#isStopped && isIt && this.#boundary?.moment === moment) {
      this.#isStopped = true;
      this.#reached();
    }
    return this.#isStopped;
  }
}
