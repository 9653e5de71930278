import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { JournalEntry } from "../../reconciler/journal/index.ts";

/** An event, with the source that it is of. */
export type Reported = JournalEntry & { source: string };

/** A receiver of notifications, which can be away. */
export class Sink {
  isAway = false;
  /** Also of messages that were refused. */
  readonly tried: Reported[] = [];
  /** The events of each message, by its id: a message may arrive twice. */
  readonly #arrived = new Map<string, Reported[]>();
  url = "";

  /** Runs until the test ends. */
  static async start(): Promise<Sink> {
    const sink = new Sink();
    const server = createServer((request, response) => {
      void sink.#answer(request, response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    sink.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return sink;
  }

  get arrived(): Reported[] {
    return [...this.#arrived.values()].flat();
  }

  /** How many changes of a source, or of a commit, were told as applied. */
  applied(of: string): number {
    return this.arrived.reduce((sum, item) => {
      if (item.type !== "applied" || (item.source !== of && item.commit !== of)) return sum;
      return sum + item.changes.length;
    }, 0);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { source, events } = JSON.parse(await text(request)) as {
      source: { name: string };
      events: JournalEntry[];
    };
    const reported = events.map((item) => ({ ...item, source: source.name }));
    this.tried.push(...reported);
    if (!this.isAway) this.#arrived.set(String(request.headers["webhook-id"]), reported);
    response.writeHead(this.isAway ? 503 : 204).end();
  }
}
