import { describe, expect, test } from "vitest";
import { createWritingClient as createClient } from "../../../core/api/client.ts";
import type { ClientSettings, Wait } from "../../../core/api/index.ts";
import { html, json, type Reply, serve, serveReplies, text } from "../../fixtures/http-server.ts";
import { quickClock } from "../../fixtures/quick-clock.ts";
import { failureOf } from "./failure.ts";

const settings = (baseUrl: string, more: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl,
  token: "t",
  onQuota: "fail",
  ...more,
});

describe("a server that does not answer in time", () => {
  const silences: [name: string, reply: Reply][] = [
    ["accepts the request", () => undefined],
    ["sends headers and no body", (response) => void response.writeHead(200).flushHeaders()],
    [
      "sends a byte now and then",
      (response) => {
        const timer = setInterval(() => response.write(" "), 10);
        response.on("close", () => clearInterval(timer));
      },
    ],
    ["answers after the limit", (response) => void setTimeout(() => response.end("{}"), 2000).unref()],
  ];

  test.each(silences)(
    "%s: the wait is told again and again, and ends with what to check",
    async (_, reply) => {
      const { url } = await serve((request, response) => void reply(response, request));
      const waits: Wait[] = [];
      const client = createClient(
        settings(url, { requestTimeout: 400, onWait: (wait) => waits.push(wait) }),
        quickClock(),
      );
      const error = await failureOf(client.get("/x"));
      expect(error).toMatchObject({ code: "unreachable", remedies: [{ setting: "base_url" }] });
      const reported = waits.filter(({ reason }) => reason === "answer");
      expect(reported.length).toBeGreaterThanOrEqual(2);
      expect(reported.length).toBeLessThanOrEqual(8);
      expect(client.spent.total).toBe(2);
    },
  );
});

describe("Retry-After", () => {
  const day = 86_400;
  const until = (seconds: number) =>
    new RegExp(new Date(Date.now() + seconds * 1000).toISOString().slice(0, 10));
  const date = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

  test.each([
    [429, "wait", String(day)],
    [429, "wait", date(day)],
    [429, "fail", "3600"],
    [429, "wait", "999999999999999"],
    [503, "fail", "3600"],
    [503, "wait", String(day)],
    [503, "wait", date(day)],
    [500, "fail", "3600"],
  ] as const)(
    "%i, on_quota %s, %s: ends the run, and says when to come back",
    async (status, onQuota, declared) => {
      const { url, received } = await serveReplies(json(status, {}, { "retry-after": declared }));
      const clock = quickClock();
      const error = await failureOf(createClient(settings(url, { onQuota }), clock).get("/x"));
      expect([received.length, clock.slept]).toEqual([1, []]);
      expect(error.message).toMatch(/\d{4}-\d\d-\d\dT/);
      if (declared === String(day)) expect(error.message).toMatch(until(day));
    },
  );

  test.each([
    [429, "wait", "3600"],
    [429, "wait", date(3600)],
    [503, "wait", "600"],
    [503, "fail", "50"],
  ] as const)("%i, on_quota %s, %s: is waited for", async (status, onQuota, declared) => {
    const { url } = await serveReplies(json(status, {}, { "retry-after": declared }), json(200, { id: 1 }));
    const clock = quickClock();
    expect(await createClient(settings(url, { onQuota }), clock).get("/x")).toEqual({ id: 1 });
    expect(clock.slept.reduce((sum, part) => sum + part, 0)).toBeGreaterThan(49_000);
  });
});

describe("what stands between is blamed itself", () => {
  test.each([401, 403, 409, 422, 500, 502, 503, 504])("a page with %i", async (status) => {
    const { url } = await serveReplies(html(status));
    const error = await failureOf(createClient(settings(url), quickClock()).get("/x"));
    expect(error.message).toContain("a proxy, a gateway or a firewall");
    expect(`${error.message}`).not.toMatch(/the token|the server failed|another operation/);
  });

  test("a text of a gateway", async () => {
    const { url } = await serveReplies(
      text(503, "upstream connect error or disconnect/reset before headers"),
    );
    const error = await failureOf(createClient(settings(url), quickClock()).get("/x"));
    expect(error.message).toContain("a text of a proxy, a gateway or a firewall");
  });

  test("407", async () => {
    const { url } = await serveReplies(json(407, { message: "who are you?" }));
    const error = await failureOf(createClient(settings(url), quickClock()).post("/x"));
    expect(error.message).toMatch(
      /a proxy asks for a user and a password; write the user and the password of the proxy into HTTP_PROXY: /,
    );
  });

  test("the server itself, where it answers as the API does", async () => {
    const { url } = await serveReplies(json(403, { message: "no" }));
    const error = await failureOf(createClient(settings(url), quickClock()).get("/x"));
    expect(error).toMatchObject({ code: "forbidden" });
  });
});
