import { describe, expect, test } from "vitest";
import { shop } from "../../fixtures/manifests.ts";
import { Hostile } from "../../fixtures/hostile-server.ts";
import { documentOf } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

const hour = 3600;

/** Runs a command against a server that sends this reset time, in seconds since 1970 by its own clock. */
async function runWith(resetAt: (now: number) => number, args: string[], clockSkew = 0) {
  await using hostile = await Hostile.open(fixture.emulator.url, async ({ pass }) => {
    const reply = await pass();
    const now = Math.floor(Date.now() / 1000) + clockSkew;
    const headers = {
      date: new Date(now * 1000).toUTCString(),
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "700",
      "x-ratelimit-reset": String(resetAt(now)),
    };
    return { ...reply, headers: { ...reply.headers, ...headers } };
  });
  const file = await fixture.write("shop.yaml", shop);
  return await fixture.run([...args, file], { env: { INFRASYNC_BASE_URL: hostile.url } });
}

describe.each<[name: string, resetAt: (now: number) => number]>([
  ["in milliseconds", (now) => (now + 60) * 1000],
  ["in seconds from now", () => 60],
  ["of a window that is over", (now) => now - 2 * hour],
  ["from a clock that is wrong by a day", (now) => now + 24 * hour],
])("a reset time %s", (_name, resetAt) => {
  const remark = "700 of 1000 left, and the reset time of the server is invalid.";

  test("appears in the output of plan and apply", async () => {
    expect((await runWith(resetAt, ["plan"])).stdout).toContain(remark);
    const applied = await runWith(resetAt, ["apply", "--yes"]);
    expect(applied.stdout.split(remark)).toHaveLength(3);
    expect(applied.code).toBe(0);
  });

  test("appears in the JSON output", async () => {
    const budget = { limit: 1000, remaining: 700, reset_is_senseless: true };
    expect(documentOf(await runWith(resetAt, ["plan", "--output", "json"]))["budget"]).toEqual(budget);
    const applied = documentOf(await runWith(resetAt, ["apply", "--yes", "--output", "json"]));
    expect(applied["report"]).toMatchObject({ budget });
  });
});

test("a reset time by the server's own wrong clock is accepted", async () => {
  const { stdout } = await runWith((now) => now + 600, ["plan"], 3 * hour);
  expect(stdout).toMatch(/700 of 1000 left, resets in (?:9|10) min\./);
});
