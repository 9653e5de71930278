import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { useFixture } from "../cli/fixture.ts";
import { useFleet } from "./fleet.ts";

const fixture = useFixture({ rateLimit: 0 });
const fleet = useFleet(fixture);

test("news that a worker could not deliver are delivered by the next one, also when it dies at the first try", async () => {
  const seen = { tried: [] as string[], arrived: [] as string[] };
  let isAway = true;
  const sink = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += String(chunk)));
    request.on("end", () => {
      const { news } = JSON.parse(body) as { news: { type: string }[] };
      seen[isAway ? "tried" : "arrived"].push(...news.map(({ type }) => type));
      response.statusCode = isAway ? 503 : 204;
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(sink, "listening");
  onTestFinished(() => {
    sink.closeAllConnections();
    sink.close();
  });
  const { port } = sink.address() as AddressInfo;
  const env = { INFRASYNC_NOTIFY_URL: `http://127.0.0.1:${port}` };
  const start = () => fleet.start(env, ["--interval", "10s"]);
  await fleet.migrate();
  fleet.state(["one"]);
  const worker = await start();
  await expect.poll(() => seen.tried, { timeout: 60_000, interval: 10 }).toContain("applied");
  worker.child.process.kill("SIGKILL");
  await worker.child.ended;
  isAway = false;
  await start();
  await expect.poll(() => seen.arrived, { timeout: 60_000 }).toContain("applied");
}, 200_000);
