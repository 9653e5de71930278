import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { spawnInfrasync } from "./child.ts";
import { documentOf } from "./captured.ts";
import { steady, useFixture } from "./fixture.ts";
import { cronJob, shop } from "../fixtures/manifests.ts";

const fixture = useFixture();

const start = (...args: string[]) => spawnInfrasync(args, fixture.env, fixture.folder);
const jobs = (count: number) => Array.from({ length: count }, (_, index) => cronJob(`job-${index}`)).join("");
const slowJobs = () =>
  fixture.fault({ method: "POST", path: "/environment/*/job", delay_ms: 1000, times: 1 });

test("validate, apply, plan and destroy succeed as separate processes", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  expect(await start("validate").ended).toMatchObject({
    code: 0,
    stdout: "Valid: 3 documents in 1 file.\n",
    stderr: expect.stringMatching(/^Note: 1 document does not declare auto_deploy.*\n$/) as string,
  });
  expect(await start("apply", "shop.yaml", "--yes").ended).toMatchObject({ code: 0 });
  const plan = await start("plan", "--detailed-exitcode").ended;
  expect(plan).toMatchObject({ code: 0, stderr: "" });
  expect(`\n${steady(plan.stdout)}`).toMatchInlineSnapshot(`
    "
    No changes to make: 3 resources in acme are as the manifests declare.
    Not checked: settings of 3 resources, variables and secrets of 3, deployments of 1 (use --strict).
    Requests: 4 spent on planning; 988 of 1000 left, resets in N min.
    "
  `);
  expect(await start("destroy", "--yes").ended).toMatchObject({ code: 0 });
});

test.each(["HOME", "XDG_CACHE_HOME"])("a run ends where nothing can be made in %s", async (variable) => {
  const env = { ...fixture.env, HOME: fixture.folder, [variable]: "/proc" };
  const { process: child, ended } = spawnInfrasync(["--version"], env, fixture.folder);
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  expect(await ended).toMatchObject({ code: 0 });
  clearTimeout(timer);
});

test("a long JSON document is written completely to a slow reader", async () => {
  await fixture.write("shop.yaml", shop + jobs(300));
  const child = start("plan", "--output", "json");
  // From here on the process has written, and nobody reads what does not fit into the pipe.
  await once(child.process.stdout, "readable");
  child.process.stdout.resume();
  const { code, stdout } = await child.ended;
  expect(code).toBe(0);
  expect(stdout.length).toBeGreaterThan(200_000);
  expect(documentOf({ stdout })).toMatchObject({ ok: true, counts: { create: 302 } });
});

test("an error comes after the whole plan in a log that a slow reader has of both", async () => {
  await fixture.write("shop.yaml", shop + jobs(300));
  const command = `"$0" "$@" 2>&1 | (sleep 1; cat)`;
  const { stdout } = await spawnInfrasync(
    ["apply", "--yes", "--max-requests", "100"],
    fixture.env,
    fixture.folder,
    command,
  ).ended;
  const end = stdout.slice(stdout.indexOf("Plan: 302 to create."));
  expect(stdout.length).toBeGreaterThan(100_000);
  expect(end).toContain("error: the plan needs about 302 requests, but this run may send only");
});

test("progress comes after the plan and before the report in a log of both outputs", async () => {
  await fixture.write("shop.yaml", shop);
  const log = `"$0" "$@" 2>&1 | cat`;
  const { stdout } = await spawnInfrasync(["apply", "--yes"], fixture.env, fixture.folder, log).ended;
  const places = ["Plan: 2 to create", "[1/2] created", "[2/2] created", "Done: 2 created"].map((text) =>
    stdout.indexOf(text),
  );
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test("apply continues when the reader of its output closes the pipe", async () => {
  await fixture.write("shop.yaml", shop + jobs(10));
  const child = start("apply", "--yes");
  child.process.stdout.destroy();
  await once(child.process, "close");
  expect(child.process.exitCode).toBe(0);
  expect(await start("plan", "--detailed-exitcode").ended).toMatchObject({ code: 0 });
});

test.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s finishes the requests in progress, starts no others, and prints the report",
  async ([signal, expected]) => {
    await fixture.write("shop.yaml", shop + cronJob("first") + cronJob("second"));
    await slowJobs();
    await fixture.write("infrasync.config.yaml", "parallelism: 1\n");
    const child = start("apply", "--yes");
    await fixture.arrival("POST /environment/{id}/job");
    child.process.kill(signal);
    const { code, stdout, stderr } = await child.ended;
    expect(code).toBe(expected);
    expect(stderr).toContain("[3/4] created  Job shop/staging/first");
    expect(stderr).toContain("Interrupted: changes in progress will be finished");
    expect(steady(stdout)).toContain("Not started:\n  Job shop/staging/second: the run had stopped");
    const again = await start("apply", "--yes").ended;
    expect(again.stdout).toContain("Done: 1 created.");
  },
);

test("a second signal ends the process at once", async () => {
  await fixture.write("shop.yaml", shop + cronJob("first"));
  await fixture.fault({ method: "POST", path: "/environment/*/job", delay_ms: 20_000 });
  const child = start("apply", "--yes");
  await fixture.arrival("POST /environment/{id}/job");
  child.process.kill("SIGINT");
  await child.says("Interrupted");
  child.process.kill("SIGINT");
  // If the process had waited for the response, the report would contain it.
  expect(await child.ended).toMatchObject({ code: 130 });
  expect((await child.ended).stderr).not.toContain("[3/3]");
});

test("an interrupted plan reports the interruption as JSON", async () => {
  await fixture.write("shop.yaml", shop);
  await fixture.fault({ method: "GET", path: "/organization", delay_ms: 10_000 });
  const child = start("plan", "--output", "json");
  await fixture.arrival("GET /organization");
  child.process.kill("SIGINT");
  const { code, stdout } = await child.ended;
  expect(code).toBe(130);
  expect(documentOf({ stdout })).toMatchObject({ ok: false, error: { code: "interrupted" } });
});

test("the output has colours only when they are requested", async () => {
  await fixture.write("shop.yaml", shop);
  const escape = "\u001b[";
  expect((await start("plan").ended).stdout).not.toContain(escape);
  expect((await start("plan", "--color").ended).stdout).toContain(escape);
  const forced = spawnInfrasync(["plan"], { ...fixture.env, FORCE_COLOR: "1" }, fixture.folder);
  expect((await forced.ended).stdout).toContain(escape);
  const forbidden = spawnInfrasync(
    ["plan"],
    { ...fixture.env, FORCE_COLOR: "1", NO_COLOR: "1" },
    fixture.folder,
  );
  expect((await forbidden.ended).stdout).not.toContain(escape);
});

test("--log-level writes the requests to standard error, without the token", async () => {
  await fixture.write("shop.yaml", shop);
  const { code, stdout, stderr } = await start("plan", "--output", "json", "--log-level", "debug").ended;
  expect(code).toBe(0);
  expect(documentOf({ stdout })).toMatchObject({ ok: true });
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines).toMatchObject([
    { method: "GET", path: "/organization", status: 200, msg: "request" },
    { method: "GET", status: 200 },
    { method: "GET", status: 200 },
    { method: "GET", status: 200 },
    { msg: "spent", total: 4 },
  ]);
  expect(stderr).not.toContain(fixture.emulator.tokens.admin);
});

test("the log counts the requests of a run by operation; the report counts them in one line", async () => {
  await fixture.write("shop.yaml", shop);
  const { stdout, stderr } = await start("apply", "--yes", "--log-level", "info").ended;
  expect(stdout).toContain("Requests: 6 spent (4 reads, 2 creates); 994 of 1000 left, resets in ");
  const log = stderr.split("\n").filter((line) => line.startsWith("{"));
  expect(log.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: "spent", total: 6, byOperation: { "GET /organization": 1, "POST /project/{id}/environment": 1 } },
  ]);
});

test.for([
  ["dump", ["dump", "shop"], 0, 6],
  ["a plan that fails", ["plan", "shop.yaml", "--max-requests", "1"], 4, 1],
] as const)("the log counts the requests of every command: %s", async ([, args, code, total]) => {
  await fixture.write("shop.yaml", shop);
  await fixture.request("POST", `/organization/${fixture.emulator.organization.id}/project`, {
    name: "shop",
  });
  const ended = await start(...args, "--log-level", "info").ended;
  expect(ended.code).toBe(code);
  const line = ended.stderr.split("\n").find((text) => text.startsWith("{"));
  expect(JSON.parse(line ?? "")).toMatchObject({ msg: "spent", total });
});

test.for([
  ["as manifests", (pipe: string) => ({ args: ["validate", pipe], env: {} })],
  ["as settings", (pipe: string) => ({ args: ["validate", "--config", pipe], env: {} })],
  ["as the token", (pipe: string) => ({ args: ["plan"], env: { INFRASYNC_TOKEN_FILE: pipe } })],
] as const)("a signal ends the wait for a pipe without a writer: %s", async ([, use]) => {
  const pipe = join(fixture.folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  await fixture.write("shop.yaml", shop);
  const { args, env } = use(pipe);
  const child = spawnInfrasync(args, { INFRASYNC_BASE_URL: fixture.emulator.url, ...env }, fixture.folder);
  // The pipe can be opened for writing as soon as a reader has opened it.
  const writer = await vi.waitFor(() => open(pipe, constants.O_WRONLY | constants.O_NONBLOCK), {
    timeout: 240_000,
  });
  child.process.kill("SIGINT");
  expect(await child.ended).toMatchObject({
    code: 130,
    stderr: "error: interrupted\n  run the command again to continue\n",
  });
  await writer.close();
});

test("a signal ends the reading of standard input", async () => {
  const child = start("validate", "-");
  // More than a pipe can hold: the write ends only when the text is read.
  await new Promise((resolve) => child.process.stdin.write(`# ${"x".repeat(500_000)}\n`, resolve));
  child.process.kill("SIGINT");
  expect(await child.ended).toMatchObject({
    code: 130,
    stdout: "",
    stderr: "error: interrupted\n  run the command again to continue\n",
  });
});
