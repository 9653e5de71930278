import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { sendRefusal } from "./reply.ts";

const mostReaders = 200;
/** Milliseconds: proxies close a connection that is silent for a minute. */
const pulse = 20_000;
/** Tells browsers of changes, as server-sent events. They fetch the content themselves. */
export class Streams {
  readonly #open = new Map<ChangingThing, Readers>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => {
      for (const { streams } of this.#open.values()) void tell(streams, ": still here\n\n");
    }, pulse);
    this.#timer.unref();
  }

  /** Answers with a stream that stays open. @param gathering milliseconds within which changes are reported once */
  open(request: FastifyRequest, reply: FastifyReply, thing: ChangingThing, gathering: number): void {
    const all = [...this.#open.values()].reduce((sum, { streams }) => sum + streams.size, 0);
    if (all >= mostReaders) {
      void sendRefusal(request, reply, 503, "too many readers");
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
    const readers = this.#open.get(thing) ?? follow(thing, gathering);
    this.#open.set(thing, readers);
    readers.streams.set(raw, async () => (await request.personNow()) !== undefined);
    request.raw.on("close", () => {
      readers.streams.delete(raw);
      if (readers.streams.size > 0) return;
      readers.ignore();
      this.#open.delete(thing);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { streams, ignore } of this.#open.values()) {
      ignore();
      for (const raw of streams.keys()) raw.end();
    }
    this.#open.clear();
  }
}

/** A subject that reports its changes. */
export interface ChangingThing {
  /** Calls a function after each change, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

interface Readers {
  /** The open answers, and whether the reader of each may still see the changes. */
  streams: Map<ServerResponse, () => Promise<boolean>>;
  ignore(): void;
}

function follow(thing: ChangingThing, gathering: number): Readers {
  const streams: Readers["streams"] = new Map();
  let pending: NodeJS.Timeout | undefined;
  const ignore = thing.onChange(() => {
    pending ??= setTimeout(() => {
      pending = undefined;
      void tell(streams, "event: change\ndata:\n\n");
    }, gathering);
    pending.unref();
  });
  return {
    streams,
    ignore() {
      clearTimeout(pending);
      ignore();
    },
  };
}

async function tell(streams: Readers["streams"], text: string): Promise<void> {
  const one = async (raw: ServerResponse, isAllowed: () => Promise<boolean>) => {
    // An unreadable file with roles gives nobody a role.
    if (!(await isAllowed().catch(() => false))) raw.end();
    // Drop slow readers: their buffer would grow without limit.
    else if (raw.writableLength > 65_536) raw.destroy();
    else raw.write(text);
  };
  await Promise.all([...streams].map(([raw, isAllowed]) => one(raw, isAllowed)));
}
