import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { useFixture } from "./fixture.ts";
import { cronJob, shop } from "./manifests.ts";

const fixture = useFixture();

/** What a server may do with the token that it was sent: give it back wherever it can. */
const echoes: [string, (token: string) => object[]][] = [
  ["no fault", () => []],
  [
    "401",
    (token) => [{ status: 401, body: { status: 401, error: token, message: `unknown token ${token}` } }],
  ],
  [
    "403 on writes",
    (token) => [
      {
        method: "POST",
        status: 403,
        body: { status: 403, error: "Forbidden", message: `Token ${token} may not` },
      },
    ],
  ],
  [
    "400 on writes",
    (token) =>
      ["POST", "PUT", "DELETE"].map((method) => ({
        method,
        status: 400,
        body: { status: 400, error: "Bad Request", message: JSON.stringify({ token }) },
      })),
  ],
  [
    "409 on writes",
    (token) => [
      { method: "POST", status: 409, times: 1, body: { status: 409, error: "Conflict", message: token } },
    ],
  ],
  [
    "a page",
    (token) => [
      { status: 200, headers: { "content-type": "text/html" }, body: `<html>${token}</html>`, times: 1 },
    ],
  ],
  [
    "a redirect",
    (token) => [
      {
        status: 302,
        headers: { location: `https://elsewhere.example/?token=${encodeURIComponent(token)}` },
        body: "",
      },
    ],
  ],
  ["an answer that breaks off", () => [{ method: "GET", truncate: 10, times: 1 }]],
  ["a connection that breaks", () => [{ method: "POST", drop: "after", times: 1 }]],
  [
    "a list of something else",
    (token) => [{ method: "GET", status: 200, body: { results: [{ id: token, name: token }, token] } }],
  ],
  [
    "429",
    (token) => [
      {
        method: "GET",
        status: 429,
        times: 1,
        headers: { "retry-after": "1" },
        body: { status: 429, error: "Too Many Requests", message: token },
      },
    ],
  ],
];

const commands: [string, string[]][] = [
  ["validate", ["validate", "FOLDER"]],
  ["plan", ["plan", "FOLDER", "--out", "FOLDER/plan.json", "--log-level", "debug"]],
  ["plan as JSON", ["plan", "FOLDER", "--output", "json"]],
  ["apply", ["apply", "FOLDER", "--yes", "--log-level", "debug"]],
  ["apply as JSON", ["apply", "FOLDER", "--yes", "--output", "json"]],
  ["destroy", ["destroy", "FOLDER", "--yes"]],
  [
    "clone",
    [
      "clone",
      "job",
      "shop/staging/report",
      "--to",
      "shop/staging",
      "--name",
      "copy",
      "--yes",
      "--clone-timeout",
      "2s",
    ],
  ],
  ["dump", ["dump", "shop"]],
  ["dump to a file", ["dump", "shop", "--out", "FOLDER/dumped.yaml"]],
];

beforeEach(async () => {
  await fixture.write("shop.yaml", shop + cronJob("report"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.write(
    "more.yaml",
    cronJob("more") + cronJob("report").replace("name: report", "name: Report2"),
  );
});

test.for(echoes)("the token is in no output and no file: %s", async ([, faults]) => {
  const { admin: token } = fixture.emulator.tokens;
  let hits = 0;
  for (const [, args] of commands) {
    await fixture.fault(...faults(token));
    const ran = await fixture.run(args.map((argument) => argument.replace("FOLDER", fixture.folder)));
    const files = await Promise.all(
      ["plan.json", "dumped.yaml"].map((name) =>
        readFile(join(fixture.folder, name), "utf8").catch(() => ""),
      ),
    );
    for (const text of [ran.stdout, ran.stderr, ...files]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(encodeURIComponent(token));
    }
    hits += await fixture.takeFaults();
  }
  expect(hits > 0).toBe(faults(token).length > 0);
});
