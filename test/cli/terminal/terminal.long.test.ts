import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Console } from "../../../cli/terminal/console.ts";
import type { Io } from "../../../cli/terminal/io.ts";
import { runCommandLine } from "../command-line.ts";
import { Captured } from "../captured.ts";
import { useFixture, writesOf } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture({
  clock: "real",
  behaviour: { latency_ms: 120, rate_limit: 12, rate_window_s: 5 },
});

/** The actions of a person at a terminal. */
interface Terminal {
  stdin: PassThrough;
  interrupt(): void;
  /** Resolves when standard error contains this text. */
  shows(what: string): Promise<void>;
}

/** Runs apply at a terminal; `answer` is typed as soon as the question appears. */
async function atTerminal(answer: (terminal: Terminal) => void, args: string[] = [], manifests = shop) {
  await fixture.write("shop.yaml", manifests);
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = true;
  const stdout = new Captured();
  const stderr = new Captured(100);
  const interruption = new AbortController();
  const awaited: { what: string; resolve(): void }[] = [];
  const terminal: Terminal = {
    stdin,
    interrupt: () => interruption.abort("SIGINT"),
    shows: (what) => new Promise((resolve) => awaited.push({ what, resolve })),
  };
  stderr.onText = (text) => {
    if (text.includes("[y/n]")) setImmediate(() => answer(terminal));
    for (const { what, resolve } of awaited) if (text.includes(what)) resolve();
  };
  const code = await runCommandLine(["apply", fixture.folder, "--no-color", ...args], {
    stdin,
    stdout,
    stderr,
    env: fixture.env,
    signal: interruption.signal,
  });
  return { code, stdout: stdout.text, stderr: stderr.text, writes: writesOf(await fixture.takeRequests()) };
}

test("the answer yes starts the apply, and the terminal shows the running actions", async () => {
  const { code, stdout, stderr } = await atTerminal(({ stdin }) => stdin.write("yes\n"));
  expect(code).toBe(0);
  expect(stderr).toContain("Apply these changes? [y/n]: ");
  expect(stderr).toContain("reading live resources");
  expect(stderr).toContain("[1/2] creating Environment shop/staging");
  expect(stdout).toContain("Done: 2 created.");
});

test("reading shows how many lists are read of those that are needed", async () => {
  await atTerminal(({ stdin }) => stdin.write("yes\n"));
  // The line is drawn several times a second.
  await fixture.fault({ path: "/project/*/environment", delay_ms: 400 });
  const { stderr } = await atTerminal(() => undefined, ["--yes"]);
  expect(stderr).toContain("reading live resources: 1 of 2 lists");
});

test.for(["y\n", "Yes\n", "certainly\ny\n"])("the answer %j applies the plan", async (lines) => {
  const { code, stderr, writes } = await atTerminal(({ stdin }) => stdin.write(lines));
  expect({ code, isWritten: writes.length > 0 }).toEqual({ code: 0, isWritten: true });
  expect(stderr.includes("Answer y or n: ")).toBe(lines.includes("certainly"));
});

test.for(["n\n", "No\n", "\nn\n"])("the answer %j changes nothing", async (lines) => {
  const { code, stderr, writes } = await atTerminal(({ stdin }) => stdin.write(lines));
  expect({ code, writes }).toEqual({ code: 3, writes: [] });
  expect(stderr).toContain("error: not confirmed; nothing has been changed");
});

test("the end of the input changes nothing", async () => {
  const { code, writes } = await atTerminal(({ stdin }) => stdin.end());
  expect({ code, writes }).toEqual({ code: 3, writes: [] });
});

test("an interruption of the question changes nothing", async () => {
  const { code, stderr, writes } = await atTerminal(({ interrupt }) => interrupt());
  expect({ code, writes }).toEqual({ code: 130, writes: [] });
  expect(stderr).toContain("error: interrupted; nothing has been changed");
});

test("on a terminal a run waits for the quota with a countdown", async () => {
  for (let sent = 0; sent < 11; sent += 1) await fixture.request("GET", "/organization");
  await fixture.takeRequests();
  const { code, stderr } = await atTerminal(({ stdin }) => stdin.write("yes\n"));
  expect(code).toBe(0);
  expect(countdown(stderr).length).toBeGreaterThan(1);
  expect(countdown(stderr).at(-1)).toBe(1);
});

test("the countdown continues while requests in progress end", async () => {
  const creation = { method: "POST", path: "/environment/*/job", times: 1 };
  await fixture.fault(
    { ...creation, delay_ms: 1000 },
    { ...creation, status: 429, headers: { "retry-after": "3" } },
  );
  const manifests = shop + cronJob("first") + cronJob("second");
  const { code, stderr } = await atTerminal(({ stdin }) => stdin.write("yes\n"), [], manifests);
  expect(code).toBe(0);
  expect(countdown(stderr).at(-1)).toBe(1);
});

test("an interruption ends the countdown", async () => {
  const creation = { method: "POST", path: "/environment/*/job", times: 1 };
  await fixture.fault(
    { ...creation, delay_ms: 1500 },
    { ...creation, status: 429, headers: { "retry-after": "60" } },
  );
  const { code, stdout, stderr } = await atTerminal(
    ({ stdin, interrupt, shows }) => {
      stdin.write("yes\n");
      void shows("takes no requests for a while").then(interrupt);
    },
    [],
    shop + cronJob("first") + cronJob("second"),
  );
  expect(code).toBe(130);
  expect(stdout).toContain("Job shop/staging/second: the run had stopped");
  const [before = "", after = ""] = stderr.split("Interrupted: ");
  expect(before).toContain("takes no requests for a while");
  expect(after).not.toContain("takes no requests for a while");
});

/** The seconds until the reset that the terminal has shown, each once. */
function countdown(stderr: string): number[] {
  const shown = [...stderr.matchAll(/(?:is used up|for a while \(429\)); continuing in (\d) s, at/g)];
  return [...new Set(shown.map(([, seconds]) => Number(seconds)))];
}

test("with JSON on standard output, the plan is shown on standard error", async () => {
  const { code, stdout, stderr } = await atTerminal(
    ({ stdin }) => stdin.write("yes\n"),
    ["--output", "json"],
  );
  expect(code).toBe(0);
  expect(stderr).toContain("infrasync will make these changes in acme:");
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, report: { complete: true } });
});

test("if one secret begins another, the console hides both completely", () => {
  const io = { env: { INFRASYNC_TOKEN: "canary-1" }, stdout: new Captured(), stderr: new Captured() };
  const console = new Console(io as unknown as Io, { json: false, jsonLines: false, color: undefined });
  console.hide("canary-1-and-its-end");
  expect(console.redact("canary-1-and-its-end canary-1")).toBe("[token] [token]");
});
