import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Board } from "../board.ts";

/** How many readers may listen at once. */
const mostReaders = 200;
/** Proxies close a connection on which nothing is said for a minute, in milliseconds. */
const pulse = 20_000;
/** Changes within this time are told once, in milliseconds. */
const gathering = 200;

/** Tells browsers, as server-sent events, that something has changed. They fetch it themselves. */
export class Streams {
  readonly #open = new Set<ServerResponse>();
  readonly #timer: NodeJS.Timeout;
  readonly #ignore: () => void;
  #pending: NodeJS.Timeout | undefined;

  constructor(board: Board) {
    this.#timer = setInterval(() => this.#tell(": still here\n\n"), pulse);
    this.#timer.unref();
    this.#ignore = board.onChange(() => {
      this.#pending ??= setTimeout(() => {
        this.#pending = undefined;
        this.#tell("event: change\ndata:\n\n");
      }, gathering);
      this.#pending.unref();
    });
  }

  /** Answers a request with a stream that stays open. */
  open(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#open.size >= mostReaders) {
      void reply.code(503).send("too many readers\n");
      return;
    }
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    raw.write("retry: 5000\n\n");
    this.#open.add(raw);
    request.raw.on("close", () => this.#open.delete(raw));
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#pending);
    this.#ignore();
    for (const raw of this.#open) raw.end();
    this.#open.clear();
  }

  #tell(text: string): void {
    for (const raw of this.#open) {
      // Drop slow readers: their buffer would grow without limit.
      if (raw.writableLength > 65_536) raw.destroy();
      else raw.write(text);
    }
  }
}
