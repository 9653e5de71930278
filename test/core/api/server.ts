import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { onTestFinished } from "vitest";

/** How the server treats one request. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

/** A request as it arrived. */
export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Lets a server of any protocol listen for one test, and gives its port. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** An HTTP server for one test, on a port of its own; it is closed when the test is over. */
export async function serve(
  listener: RequestListener,
): Promise<{ url: string; server: Server; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, port };
}

/** A server that answers one request after the other as told; the last reply goes for all that follow. */
export async function serveReplies(...replies: Reply[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const { url } = await serve((request, response) => {
    const number = received.length;
    const seen: Received = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body: "",
    };
    received.push(seen);
    request.on("data", (chunk: Buffer) => {
      seen.body += chunk.toString();
    });
    request.on("end", () => {
      void (replies[number] ?? replies.at(-1))?.(response, request);
    });
  });
  return { url, received };
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** An answer of any text. */
export function text(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** The page that a proxy shows. */
export const html = (status: number): Reply =>
  text(status, "<!DOCTYPE html><html><title>Bad Gateway</title></html>", { "content-type": "text/html" });

/** Faults of the connection, by the point at which they strike. */
export const faults: Record<string, Reply> = {
  "reset before the answer": (_response, request) => {
    request.socket.resetAndDestroy();
  },
  "closed before the answer": (_response, request) => {
    request.socket.end();
  },
  "reset after the headers": async (response, request) => {
    response.writeHead(200, { "content-type": "application/json" }).write(" ");
    await wait(20);
    request.socket.resetAndDestroy();
  },
  "cut off before its length": (response, request) => {
    response.writeHead(200, { "content-length": "20" }).write('{"id":1');
    request.socket.end();
  },
  "cut off in chunks": (response, request) => {
    response.writeHead(200).write('{"id":1}');
    request.socket.end();
  },
  "ended in the middle of the JSON": text(200, '{"id":"a'),
  "gzip that ends too early": (response) => {
    const body = gzipSync(JSON.stringify({ id: "a".repeat(1000) }));
    response.writeHead(200, { "content-encoding": "gzip" }).end(body.subarray(0, body.length - 12));
  },
  "gzip that is none": text(200, '{"id":1}', { "content-encoding": "gzip" }),
  "no HTTP": (_response, request) => {
    request.socket.end("SSH-2.0-OpenSSH_9.9\r\n\r\n");
  },
  "switched to another protocol, and closed": (_response, request) => {
    request.socket.end(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    );
  },
  "switched to another protocol, and silent": (_response, request) => {
    request.socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    );
  },
  "HTML with status 200": html(200),
  "no UTF-8": (response) => {
    response.writeHead(200).end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
  },
};
