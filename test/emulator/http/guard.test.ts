import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { startWorld } from "../start-world.ts";

/** Sends a request with exactly these headers, which `fetch` would not send. */
async function send(url: string, path: string, method: string, headers: Record<string, string>) {
  const asking = request(url, { path, method, headers });
  asking.end();
  const [answer] = (await once(asking, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, text };
}

const control = { "x-emulator-control": "1" };

test.for([
  "evil.example",
  "evil.example:8080",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "192.168.1.7",
])("a request with the Host %j is refused, as after DNS rebinding", async (host) => {
  const { emulator, client, organizationPath } = await startWorld();
  const authorization = `Token ${emulator.tokens.admin}`;
  for (const [path, method] of [
    ["/_emulator/reset", "POST"],
    [organizationPath, "GET"],
    ["/no/such/path", "GET"],
  ] as const) {
    const answer = await send(emulator.url, path, method, { ...control, authorization, host });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 403, error: "Forbidden" });
    expect(answer.text).toContain("is not this machine; use 127.0.0.1 or localhost");
  }
  expect(await client.list(`${organizationPath}/project`)).toHaveLength(1);
});

test.for(["localhost", "LOCALHOST:80", "api.localhost:1", "127.0.0.1", "127.1.2.3:99", "[::1]:8080"])(
  "a request with the Host %s is served",
  async (host) => {
    const { emulator } = await startWorld();
    expect((await send(emulator.url, "/_emulator/clock", "GET", { ...control, host })).status).toBe(200);
  },
);

test.for(["https://evil.example", "http://localhost:3000", "null", "https://127.0.0.1"])(
  "a request from the origin %s is refused, without CORS headers",
  async (origin) => {
    const { emulator } = await startWorld();
    const authorization = `Token ${emulator.tokens.admin}`;
    for (const [path, method] of [
      ["/_emulator/requests", "GET"],
      ["/_emulator/reset", "OPTIONS"],
      ["/organization", "GET"],
    ] as const) {
      const answer = await send(emulator.url, path, method, { ...control, authorization, origin });
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("may not use the emulator");
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  },
);

test("a request from the emulator's own origin is served, also without CORS headers", async () => {
  const { emulator } = await startWorld();
  const headers = { ...control, origin: emulator.url };
  const answer = await send(emulator.url, "/_emulator/clock", "GET", headers);
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.for(["/_emulator/reset", "/%5Femulator/reset", "/_emulator/%72eset", "/_emulator/reset/"])(
  "POST %s without the header of the control surface is refused",
  async (path) => {
    const { emulator, client, organizationPath } = await startWorld();
    const answer = await send(emulator.url, path, "POST", {});
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("the control surface needs the header X-Emulator-Control: 1");
    expect(await client.list(`${organizationPath}/project`)).toHaveLength(1);
    expect((await send(emulator.url, path, "POST", control)).status).toBe(204);
    expect(await client.list(`${organizationPath}/project`)).toEqual([]);
  },
);
