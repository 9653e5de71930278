import { expect, test } from "vitest";
import { documentOf, infrasync } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

interface Check {
  name: string;
  status: string;
  message: string;
  advice?: string;
}

/** The checks of `doctor`, by their names. */
async function checks(env: Record<string, string | undefined> = {}, ...args: string[]) {
  const ran = await infrasync(["doctor", "--output", "json", ...args], { env: { ...fixture.env, ...env } });
  const found = documentOf(ran)["checks"] as Check[];
  return { code: ran.code, found, by: new Map(found.map((check) => [check.name, check])) };
}

const statusesOf = (found: readonly Check[]) => found.map(({ name, status }) => `${name} ${status}`);

test("where all is well, doctor says so, with one request that changes nothing", async () => {
  const { code, found } = await checks();
  expect(statusesOf(found)).toEqual([
    "versions ok",
    "settings ok",
    "proxy ok",
    "server ok",
    "token ok",
    "organization ok",
    "quota ok",
    "clock ok",
  ]);
  expect(code).toBe(0);
  expect(await fixture.takeRequests()).toEqual(["GET /organization"]);
  const { stdout } = await fixture.run(["doctor"]);
  expect(stdout).toMatch(/^ok {7}versions {6}infrasync \d+\.\d+\.\d+ on Node \d/);
  expect(stdout).toContain("ok       organization  acme\n");
  expect(stdout).not.toContain(fixture.emulator.tokens.admin);
});

test("without a URL and a token, both are named with what to do", async () => {
  const { code, found } = await checks({ INFRASYNC_BASE_URL: undefined, INFRASYNC_TOKEN: undefined });
  expect(code).toBe(1);
  expect(found.filter(({ name }) => name === "settings").map(({ message }) => message)).toEqual([
    "no token is set",
    "the URL of the API is not set",
  ]);
  expect(statusesOf(found).slice(3)).toEqual([
    "proxy skipped",
    "server skipped",
    "token skipped",
    "organization skipped",
    "quota skipped",
    "clock skipped",
  ]);
});

test.each<[what: string, env: Record<string, string>, name: string, status: string, advice: RegExp]>([
  ["a token that the server does not know", { INFRASYNC_TOKEN: "unknown-token" }, "token", "failed", /token/],
  [
    "a port where nothing listens",
    { INFRASYNC_BASE_URL: "http://127.0.0.1:9" },
    "server",
    "failed",
    /URL|server|network/,
  ],
  ["http to another machine", { INFRASYNC_BASE_URL: "http://api.example.com" }, "server", "failed", /https/],
  [
    "a base URL with another path",
    { INFRASYNC_BASE_URL: "ELSEWHERE" },
    "server",
    "failed",
    /check the path of the base URL, http.*\/elsewhere: the API is not below it/,
  ],
  [
    "a proxy that is no URL",
    { INFRASYNC_BASE_URL: "https://api.example.com", HTTPS_PROXY: "::" },
    "proxy",
    "failed",
    /proxy\.example\.com|use Node/,
  ],
  [
    "an organization that the token does not see",
    { INFRASYNC_ORGANIZATION: "umbrella" },
    "organization",
    "failed",
    /acme/,
  ],
  [
    "an organization of another id",
    { INFRASYNC_ORGANIZATION: "00000000-0000-4000-8000-000000000000" },
    "organization",
    "failed",
    /acme/,
  ],
])("%s fails with advice", async (_what, env, name, status, advice) => {
  const elsewhere = `${fixture.emulator.url}/elsewhere`;
  const { code, by } = await checks(
    env["INFRASYNC_BASE_URL"] === "ELSEWHERE" ? { INFRASYNC_BASE_URL: elsewhere } : env,
  );
  expect(by.get(name)).toMatchObject({ status, advice: expect.stringMatching(advice) });
  expect(code).toBe(1);
});

test("a quota that is nearly used up, and a clock that differs, are warnings", async () => {
  await fixture.fault({
    method: "GET",
    path: "/organization",
    body: { results: [{ id: "00000000-0000-4000-8000-000000000000", name: "acme" }] },
    status: 200,
    headers: {
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": "20",
      date: new Date(Date.now() + 600_000).toUTCString(),
    },
  });
  const { code, by } = await checks();
  expect(by.get("quota")).toMatchObject({ status: "warning", message: expect.stringMatching(/^20 of 1000/) });
  expect(by.get("clock")).toMatchObject({
    status: "warning",
    message: "the clock of this machine is 10 min behind that of the server",
  });
  expect(code).toBe(0);
});
