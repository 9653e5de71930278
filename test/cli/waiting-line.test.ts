import { afterEach, expect, test, vi } from "vitest";
import { longWait } from "../../core/api/index.ts";
import { json, serveReplies } from "../fixtures/http-server.ts";
import { shop } from "../fixtures/manifests.ts";
import { infrasync } from "./captured.ts";
import { useFixture } from "./fixture.ts";

const fixture = useFixture();

afterEach(() => void vi.useRealTimers());

test.each(["plan", "dump", "list"])(
  "%s tells without a terminal that a server which has accepted a request does not answer",
  async (command) => {
    const arrival = Promise.withResolvers<void>();
    const { url } = await serveReplies(() => arrival.resolve());
    const file = await fixture.write("shop.yaml", shop);
    const env = { ...fixture.env, INFRASYNC_BASE_URL: url };
    const stop = new AbortController();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const args = { plan: [file], dump: ["shop"], list: ["job"] }[command] ?? [];
    const running = infrasync([command, ...args], { env, signal: stop.signal });
    await arrival.promise;
    vi.advanceTimersByTime(15_000);
    stop.abort();
    const { code, stderr } = await running;
    expect(stderr).toMatch(/^The server has not answered yet; this try ends in \d+ s\.$/m);
    expect(code).toBe(130);
  },
);

test("a server that wants to be asked again in a day ends the run, which says when, and asks no other request", async () => {
  const { url, received } = await serveReplies(json(429, {}, { "retry-after": "86400" }));
  const file = await fixture.write("shop.yaml", shop);
  const env = { ...fixture.env, INFRASYNC_BASE_URL: url };
  const { code, stderr } = await infrasync(["plan", file], { env });
  expect([code, received.length]).toEqual([4, 1]);
  expect(stderr).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d/);
});

test("a run that waits for a clone names what the clone may still bring, and the longest wait", () => {
  const wait = { reason: "clone", until: new Date(240_000), subject: "Job migrate" } as const;
  expect(longWait(wait, 0)).toBe("A clone may still bring Job migrate; waiting for it, 4 min at most");
});
