import { describe, expect, test } from "vitest";
import { GitRepository } from "../fixtures/git-repository.ts";
import { cronJob, lifecycleJob, shop } from "../fixtures/manifests.ts";
import { documentOf } from "./captured.ts";
import { spawnInfrasync } from "./child.ts";
import { useFixture } from "./fixture.ts";

const fixture = useFixture({
  clock: "real",
  behaviour: { clone_delay_ms: 600_000, delete_delay_ms: 600_000 },
});

/** Runs a command in a process that runs other code first. */
async function runAfter(code: string, args: string[]) {
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnInfrasync(args, { ...fixture.env, NODE_OPTIONS: `--import=${preload}` }).ended;
}

/** Pauses never end and do not keep the process alive. */
const endlessPauses = `
  import timers from "node:timers/promises";
  import { syncBuiltinESMExports } from "node:module";
  const { setTimeout: wait } = timers;
  timers.setTimeout = (milliseconds, ...rest) => milliseconds > 0 ? new Promise(() => {}) : wait(milliseconds, ...rest);
  syncBuiltinESMExports();
`;

/** Standard error looks like a terminal. */
const terminal = `
  const done = () => true;
  Object.assign(process.stderr, { isTTY: true, columns: 100, cursorTo: done, clearLine: done, moveCursor: done });
`;

test("a run that waits forever exits with 1 and a message", async () => {
  // Standard input without a writer, which does not keep the process alive.
  const code =
    'import { Readable } from "node:stream"; Object.defineProperty(process, "stdin", { value: new Readable({ read() {} }) })';
  const { code: exitCode, stderr } = await runAfter(code, ["validate", "-"]);
  expect(stderr).toContain("error: the run stopped unexpectedly, and some changes may have been made");
  expect(exitCode).toBe(1);
  const json = await runAfter(code, ["validate", "-", "--output", "json"]);
  expect(documentOf(json)).toMatchObject({ ok: false, error: { code: "standstill" } });
  expect(json.code).toBe(1);
});

describe("an apply that waits forever", () => {
  const manifests = `${shop}${cronJob("nightly")}---
kind: Environment
project: shop
name: copy
clone: { from: shop/staging }
${cronJob("inside", "", "shop/copy")}`;

  test("reports the completed actions, the actions of unknown outcome and the skipped actions", async () => {
    const file = await fixture.write("shop.yaml", manifests);
    const { code, stdout } = await runAfter(endlessPauses, ["apply", file, "--yes"]);
    const report = stdout.slice(stdout.indexOf("Not finished:"));
    expect(report.replaceAll(/Requests: .*/g, "Requests: …")).toMatchInlineSnapshot(`
      "Not finished:
        Environment shop/copy: the action had started, and its result is unknown

      Not started:
        Job shop/copy/inside: the run had stopped

      Stopped: the run was waiting for an event that will not happen. Done so far: 3 created, 1 of unknown outcome. Run again to continue.
      Not deployed yet: Job shop/staging/nightly. To deploy:
        infrasync deploy job:shop/staging/nightly
      Requests: …
      "
    `);
    expect(code).toBe(1);
  });

  test("reports the same on a terminal with a spinner", async () => {
    const file = await fixture.write("shop.yaml", manifests);
    const { code, stdout, stderr } = await runAfter(`${terminal}${endlessPauses}`, ["apply", file, "--yes"]);
    expect(stderr).toContain("⠋ starting");
    expect(stdout).toContain("Environment shop/copy: the action had started, and its result is unknown");
    expect(code).toBe(1);
  });

  test("writes one JSON document", async () => {
    const file = await fixture.write("shop.yaml", manifests);
    const ran = await runAfter(endlessPauses, ["apply", file, "--yes", "--output", "json"]);
    const { ok, error, report } = documentOf(ran) as {
      ok: boolean;
      error: object;
      report: { outcomes: { type: string; status: string; code?: string }[] };
    };
    expect({ ok, error }).toMatchObject({ ok: false, error: { code: "standstill" } });
    expect(report.outcomes.map(({ type, status, code }) => [type, status, code])).toEqual([
      ["create", "done", undefined],
      ["create", "done", undefined],
      ["create", "done", undefined],
      ["clone", "pending", "unclear"],
      ["create", "skipped", undefined],
    ]);
    expect(ran.code).toBe(1);
  });

  test("returns the manifest of the resource that it was replacing", async () => {
    const file = await fixture.write("shop.yaml", `${shop}${cronJob("nightly", "")}`);
    await fixture.run(["apply", file, "--yes"]);
    await fixture.write("shop.yaml", `${shop}${lifecycleJob("nightly")}`);
    const args = ["apply", file, "--yes", "--allow-replace", "**"];
    const { code, stdout } = await runAfter(endlessPauses, args);
    expect(stdout).toContain("This manifest creates it again:");
    expect(stdout).toContain("on_start:");
    expect(code).toBe(1);
  });
});

const cloning = `${shop}${cronJob("nightly")}---
kind: Environment
project: shop
name: copy
clone: { from: shop/staging }
`;

describe("a reconciler that waits forever", () => {
  const reconcile = (repository: GitRepository, ...args: string[]) => {
    const given = ["--repo", repository.origin, "--path", "infra", "--allow-local-repo", "--yes"];
    return runAfter(endlessPauses, ["reconcile", ...given, ...args]);
  };

  test.each(["off", "127.0.0.1:0"])(
    "logs what a cycle has done, and exits with 1 (page: %s)",
    async (page) => {
      using repository = new GitRepository();
      repository.push({ "infra/shop.yaml": cloning });
      const { code, stderr } = await reconcile(repository, "--listen", page);
      const lines = stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(lines).toContainEqual(
        expect.objectContaining({
          type: "applied",
          changes: [{ address: "project:shop", action: "create" }],
        }),
      );
      expect(lines).toContainEqual(expect.objectContaining({ type: "failed", environment: "shop/copy" }));
      expect(lines.at(-1)).toMatchObject({ level: 50, code: "standstill" });
      expect(code).toBe(1);
    },
  );

  test("reports the same when it runs once", async () => {
    using repository = new GitRepository();
    repository.push({ "infra/shop.yaml": cloning });
    const { code, stdout } = await reconcile(repository, "--once");
    expect(stdout).toContain("Environment shop/copy: the action had started, and its result is unknown");
    expect(code).toBe(1);
  });
});

describe("a deployment that waits forever", () => {
  const ran = async (...args: string[]) => {
    const file = await fixture.write("shop.yaml", `${shop}${cronJob("nightly")}`);
    await fixture.run(["apply", file, "--yes"]);
    return runAfter(endlessPauses, args);
  };

  test("reports that it was started, and exits with 1", async () => {
    const { code, stdout } = await ran("deploy", "shop/staging", "--wait");
    expect(stdout).toContain(
      "Not finished:\n  Environment shop/staging: it was started, and infrasync no longer follows it: the run was waiting for an event that will not happen",
    );
    expect(code).toBe(1);
  });

  test("writes one JSON document", async () => {
    const child = await ran("deploy", "shop/staging", "--wait", "--output", "json");
    expect(documentOf(child)).toMatchObject({
      ok: false,
      error: { code: "standstill" },
      environments: [{ status: "unfinished" }],
    });
    expect(child.code).toBe(1);
  });

  test("reports a request of unknown outcome", async () => {
    await fixture.fault({ method: "POST", path: "/environment/*/deploy", status: 502, times: 9 });
    const { code, stdout } = await ran("deploy", "shop/staging", "--wait");
    expect(stdout).toContain("Environment shop/staging: it may or may not have been started");
    expect(code).toBe(1);
  });
});
