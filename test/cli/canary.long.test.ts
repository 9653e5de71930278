import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { documentOf, infrasync } from "./captured.ts";
import { useFixture } from "./fixture.ts";
import { fastClock } from "../fixtures/fast-clock.ts";
import { cronJob, shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

const secret = "c4nary-s3cret-value";

/** A secret in a manifest, with a source that contains its value. */
const declared = "secrets: { STATED: { from_env: CANARY } }";

/** Lets a server repeat the token that it received in every possible place of its responses. */
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
  [
    "500 for good on writes",
    (token) =>
      ["POST", "PUT", "DELETE"].map((method) => ({
        method,
        status: 500,
        times: 3,
        body: { status: 500, error: token, message: `crashed at ${token}` },
      })),
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
  ["clone", ["clone", "job", "shop/staging/report", "--to", "shop/staging", "--name", "copy", "--yes"]],
  ["dump", ["dump", "shop"]],
  ["dump to a file", ["dump", "shop", "--out", "FOLDER/dumped.yaml"]],
  ["plan as Markdown", ["plan", "FOLDER", "--output", "markdown"]],
  ["apply of a saved plan", ["apply", "--plan", "FOLDER/plan.json", "--yes"]],
  ["schema", ["schema"]],
  ["completion", ["completion", "bash"]],
];

beforeEach(async () => {
  await fixture.write("shop.yaml", shop + cronJob("report", declared));
  const made = documentOf(
    await fixture.run(["apply", fixture.folder, "--yes", "--output", "json"], { env: { CANARY: secret } }),
  );
  const { outcomes } = made["report"] as { outcomes: { resource_id: string }[] };
  for (const isSecret of [true, false]) {
    await fixture.request("POST", "/variable", {
      key: `PASSWORD_${isSecret}`,
      value: isSecret ? secret : "plain",
      is_secret: isSecret,
      variable_scope: "JOB",
      variable_parent_id: outcomes.at(-1)?.resource_id,
    });
  }
  await fixture.write(
    "more.yaml",
    cronJob("more", declared) + cronJob("report", declared).replace("name: report", "name: Report2"),
  );
});

test.for(echoes)(
  "no output and no file contains the token or the value of a secret: %s",
  async ([, faults]) => {
    const { admin: token } = fixture.emulator.tokens;
    let hits = 0;
    for (const [, args] of commands) {
      await fixture.fault(...faults(token));
      const line = args.map((argument) => argument.replace("FOLDER", fixture.folder));
      const ran = await fixture.run(line, { clock: fastClock(20), env: { CANARY: secret } });
      expect(ran.stderr).not.toContain("should not have happened");
      const files = await Promise.all(
        ["plan.json", "dumped.yaml"].map((name) =>
          readFile(join(fixture.folder, name), "utf8").catch(() => ""),
        ),
      );
      for (const text of [ran.stdout, ran.stderr, ...files]) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(encodeURIComponent(token));
        expect(text).not.toContain(secret);
      }
      hits += await fixture.takeFaults();
    }
    expect(hits > 0).toBe(faults(token).length > 0);
  },
);

test.for([
  ["a token in the settings file", [], {}, `token: ${secret}`],
  [
    "a password in the base URL of the settings file",
    [],
    { INFRASYNC_BASE_URL: "" },
    `base_url: https://user:${secret}@example.com`,
  ],
  ["a password in the base URL", [], { INFRASYNC_BASE_URL: `https://user:${secret}@example.com` }],
  ["a base URL that is not a URL", [], { INFRASYNC_BASE_URL: `user:${secret}@example.com` }],
  ["a flag for the token", ["--token", secret]],
  ["a flag with the token", [`--token=${secret}`]],
  ["a flag that does not exist", [`--api-key=${secret}`]],
  ["a password in the flag for the base URL", [`--base-url=https://user:${secret}@example.com`]],
  ["the token as the name of its file", [], { INFRASYNC_TOKEN: "", INFRASYNC_TOKEN_FILE: secret }],
  ["a token that cannot be sent", [], { INFRASYNC_TOKEN: `${secret} ${secret}` }],
] as [string, string[], Record<string, string>?, string?][])(
  "a message about a secret in the wrong place does not show the secret: %s",
  async ([, args, env = {}, settings = ""]) => {
    await fixture.write("infrasync.config.yaml", settings);
    for (const style of ["text", "json"]) {
      const given = ["plan", fixture.folder, ...args, "--output", style];
      const { code, stdout, stderr } = await infrasync(given, { env: { ...fixture.env, ...env } });
      expect(code).toBe(3);
      expect(stdout + stderr).toMatch(/error/);
      expect(stdout + stderr).not.toContain(secret);
    }
  },
);
