import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An answer, as it is passed on. */
export interface Reply {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

/** A request on its way to the real server; `pass` sends it on, once or more often. */
export interface Passing {
  method: string;
  path: string;
  body: string;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  pass(body?: string): Promise<Reply>;
  /** Asks the real server for something else. */
  ask(method: string, path: string, body?: string): Promise<Reply>;
}

/** Treats a request in its own way; undefined: as an honest server would. */
export type Treatment = (passing: Passing) => Promise<Reply | "done" | undefined>;

/** A server that behaves as it likes in front of one that is honest. */
export class Hostile {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #target: string;
  readonly #underWay = new Set<Promise<void>>();
  /** How it treats requests from now on. */
  treat: Treatment;

  private constructor(server: ReturnType<typeof createServer>, target: string, treat: Treatment) {
    this.#server = server;
    this.#target = target;
    this.treat = treat;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const answered = this.#answer(incoming, outgoing).catch(() => void outgoing.destroy());
      this.#underWay.add(answered);
      void answered.then(() => this.#underWay.delete(answered));
    });
  }

  static async open(target: string, treat: Treatment): Promise<Hostile> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Hostile(server, target, treat);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves when the real server has answered all that has been passed on, whoever still waits for it. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url: path = "", headers } = incoming;
    const body = await text(incoming);
    const ask: Passing["ask"] = async (itsMethod, itsPath, sent = "") => {
      const response = await fetch(this.#target + itsPath, {
        method: itsMethod,
        headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
        ...(sent !== "" && { body: sent }),
      });
      return {
        status: response.status,
        body: await response.text(),
        headers: passedOn(response.headers),
      };
    };
    const pass: Passing["pass"] = (sent = body) => ask(method, path, sent);
    const passing = { method, path, body, incoming, outgoing, pass, ask };
    const reply = (await this.treat(passing)) ?? (await pass());
    if (reply === "done") return;
    outgoing
      .writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      .end(reply.body);
  }
}

function passedOn(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => /^(?:content-type|retry-after|date|x-ratelimit-.*)$/.test(name)),
  );
}

/** Switches to another protocol, and hangs up. */
export function switchProtocol({ incoming }: Pick<Passing, "incoming">): "done" {
  incoming.socket.end(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  );
  return "done";
}
