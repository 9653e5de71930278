import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request on its way to the real server; `pass` sends it on, once or more often. */
export interface Passing {
  method: string;
  path: string;
  body: string;
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  pass(body?: string): Promise<{ status: number; body: string }>;
}

/** Treats a request in its own way; undefined: as an honest server would. */
export type Treatment = (passing: Passing) => Promise<{ status: number; body: string } | "done" | undefined>;

/** A server that behaves as it likes in front of one that is honest. */
export class Hostile {
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(target: string, treat: Treatment): Promise<Hostile> {
    const server = createServer((incoming, outgoing) => {
      answer(target, treat, incoming, outgoing).catch(() => outgoing.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Hostile(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function answer(
  target: string,
  treat: Treatment,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "", url: path = "", headers } = incoming;
  const body = await text(incoming);
  const pass: Passing["pass"] = async (sent = body) => {
    const response = await fetch(target + path, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": "application/json" },
      ...(sent !== "" && { body: sent }),
    });
    return { status: response.status, body: await response.text() };
  };
  const reply = (await treat({ method, path, body, incoming, outgoing, pass })) ?? (await pass());
  if (reply === "done") return;
  outgoing.writeHead(reply.status, { "content-type": "application/json" }).end(reply.body);
}

/** Switches to another protocol, and hangs up. */
export function switchProtocol({ incoming }: Passing): "done" {
  incoming.socket.end(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
  );
  return "done";
}
