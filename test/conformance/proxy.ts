// A proxy between a client and a server of the API, which checks requests and responses.
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { parsedJson } from "../../core/values/json.ts";
import { TrafficCheck } from "./traffic.ts";

/** Starts a proxy; 0: any free port. Paths that begin with `/_`, which only the emulator has, pass unchecked. */
export async function startProxy(target: string, port = 0) {
  const traffic = new TrafficCheck();
  const server = createServer((incoming, outgoing) => {
    pass(new URL(target), traffic, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    findings: traffic.findings,
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function pass(
  { hostname, port }: URL,
  traffic: TrafficCheck,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = await buffer(incoming);
  const forwarded = request({
    hostname,
    port,
    path: url,
    method,
    headers: { ...headers, host: `${hostname}:${port}`, "accept-encoding": "identity" },
  });
  forwarded.end(body);
  const [response] = (await once(forwarded, "response")) as [IncomingMessage];
  const answer = await buffer(response);
  const { statusCode: status = 0 } = response;
  const [path = ""] = url.split("?");
  if (!path.startsWith("/_"))
    traffic.check({
      method,
      path,
      status,
      request: parsedJson(String(body)),
      response: parsedJson(String(answer)),
    });
  outgoing.writeHead(status, { ...response.headers, "content-length": answer.length });
  outgoing.end(answer);
}
