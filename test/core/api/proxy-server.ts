import { createServer, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "./server.ts";

/** A proxy that leads every tunnel to one port, and what arrives at it. */
export async function serveProxy(target: number): Promise<{ url: string; received: IncomingMessage[] }> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    response.end("[2]");
  });
  server.on("connect", (request, client: Socket) => {
    received.push(request);
    const upstream = connect(target, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
  });
  return { url: `127.0.0.1:${await listen(server)}`, received };
}
