import { describe, expect, test } from "vitest";
import { cronJob, lifecycleJob, shop } from "../fixtures/manifests.ts";
import { documentOf } from "./captured.ts";
import { spawnInfrasync } from "./child.ts";
import { useFixture } from "./fixture.ts";

const fixture = useFixture({ cloneDelay: 600_000, deleteDelay: 600_000 });

/** Runs a command in a process in which some code runs first. */
async function runAfter(code: string, args: string[]) {
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  return spawnInfrasync(args, { ...fixture.env, NODE_OPTIONS: `--import=${preload}` }).ended;
}

/** Pauses never end, and keep no process alive. */
const endlessPauses = `
  import timers from "node:timers/promises";
  import { syncBuiltinESMExports } from "node:module";
  const { setTimeout: wait } = timers;
  timers.setTimeout = (milliseconds, ...rest) => milliseconds > 0 ? new Promise(() => {}) : wait(milliseconds, ...rest);
  syncBuiltinESMExports();
`;

/** Standard error passes for a terminal. */
const terminal = `
  const done = () => true;
  Object.assign(process.stderr, { isTTY: true, columns: 100, cursorTo: done, clearLine: done, moveCursor: done });
`;

test("a run that waits for what never comes says so and exits 1", async () => {
  // Standard input that nobody writes to, and that keeps no process alive.
  const code =
    'import { Readable } from "node:stream"; Object.defineProperty(process, "stdin", { value: new Readable({ read() {} }) })';
  const { code: exitCode, stderr } = await runAfter(code, ["validate", "-"]);
  expect(stderr).toContain("error: the run stopped unexpectedly, and some changes may have been made");
  expect(exitCode).toBe(1);
  const json = await runAfter(code, ["validate", "-", "--output", "json"]);
  expect(documentOf(json)).toMatchObject({ ok: false, error: { code: "standstill" } });
  expect(json.code).toBe(1);
});

describe("an apply that waits for what never comes", () => {
  const manifests = `${shop}${cronJob("nightly")}---
kind: Environment
project: shop
name: copy
clone: { from: shop/staging }
${cronJob("inside", "", "shop/copy")}`;

  test("reports what is done, what is of unknown outcome and what was not started", async () => {
    const file = await fixture.write("shop.yaml", manifests);
    const { code, stdout } = await runAfter(endlessPauses, ["apply", file, "--yes"]);
    const report = stdout.slice(stdout.indexOf("Not finished:"));
    expect(report.replaceAll(/Requests: .*/g, "Requests: …")).toMatchInlineSnapshot(`
      "Not finished:
        Environment shop/copy: the action had begun, and its result is unknown

      Not started:
        Job shop/copy/inside: the run had stopped

      Stopped: the run was waiting for an event that can no longer happen. Done so far: 3 created, 1 of unknown outcome. Run again to continue.
      Not deployed yet: Job shop/staging/nightly. To deploy: infrasync deploy job:shop/staging/nightly
      Requests: …
      "
    `);
    expect(code).toBe(1);
  });

  test("reports the same at a terminal, where a spinner turns", async () => {
    const file = await fixture.write("shop.yaml", manifests);
    const { code, stdout, stderr } = await runAfter(`${terminal}${endlessPauses}`, ["apply", file, "--yes"]);
    expect(stderr).toContain("⠋ starting");
    expect(stdout).toContain("Environment shop/copy: the action had begun, and its result is unknown");
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

  test("gives the manifest of what it was replacing", async () => {
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
