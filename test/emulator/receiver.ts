import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** A delivery, as a receiver of webhooks gets it. */
export interface Delivery {
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: { event_type: string; payload: Record<string, unknown> };
}

/** A receiver of webhooks that stops when the test ends. */
export async function startReceiver(): Promise<{ url: string; deliveries: Delivery[] }> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      deliveries.push({
        url: request.url ?? "",
        headers: request.headers,
        text,
        body: JSON.parse(text) as Delivery["body"],
      });
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, deliveries };
}
