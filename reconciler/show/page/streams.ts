import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../../core/api/index.ts";
import { sendRefusal } from "./reply.ts";

const mostReaders = 200;
/** Milliseconds: proxies close a connection that is silent for a minute. */
const pulse = 20_000;
/** Tells browsers of changes, as server-sent events. They fetch the content themselves. */
export class Streams {
  readonly #open = new Map<ChangingThing, Readers>();
  readonly #clock: Pick<Clock, "sleep">;

  constructor(clock: Pick<Clock, "sleep">) {
    this.#clock = clock;
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
    const readers = this.#open.get(thing) ?? this.#follow(thing, gathering);
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
    for (const { streams, ignore } of this.#open.values()) {
      ignore();
      for (const raw of streams.keys()) raw.end();
    }
    this.#open.clear();
  }

  #follow(thing: ChangingThing, gathering: number): Readers {
    const streams: Readers["streams"] = new Map();
    const over = new AbortController();
    const tellAfter = async (milliseconds: number, text: string) => {
      await this.#clock.sleep(milliseconds, over.signal);
      if (!over.signal.aborted) void tell(streams, text);
    };
    const beat = async () => {
      while (!over.signal.aborted) await tellAfter(pulse, ": still here\n\n");
    };
    void beat();
    let pending: Promise<void> | undefined;
    const ignore = thing.onChange(() => {
      pending ??= tellAfter(gathering, "event: change\ndata:\n\n").finally(() => (pending = undefined));
    });
    return {
      streams,
      ignore() {
        over.abort();
        ignore();
      },
    };
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
