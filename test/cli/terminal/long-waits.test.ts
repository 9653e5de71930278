import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LineStatus } from "../../../cli/progress/with-status.ts";
import { SpinnerStatus } from "../../../cli/progress/spinner-status.ts";
import { Console } from "../../../cli/terminal/console.ts";
import { readEndpoint } from "../../../cli/service/endpoint.ts";
import { fetchTemplate } from "../../../cli/manifests/fetch-template.ts";
import { serve } from "../../fixtures/http-server.ts";
import { parseAddress } from "../../../core/model/addresses/address.ts";
import { Captured } from "../captured.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const address = parseAddress("job:shop/staging/a");
if (!address) throw new Error("an address");
const service = { address, id: "1" };
const during = (state: string) => [{ service, state, result: "unfinished" }];

function consoleOf(columns?: number) {
  const [stdout, stderr] = [new Captured(), new Captured(columns)];
  const io = { stdin: process.stdin, stdout, stderr, env: {}, signal: new AbortController().signal };
  return { console: new Console(io, { json: false, jsonLines: false, color: false }), stderr };
}

test("without a terminal, each change of a state is a line, and each silent minute", () => {
  const { console, stderr } = consoleOf();
  const status = new LineStatus(console);
  status.working("deploying");
  for (const state of ["QUEUED", "QUEUED", "BUILDING"]) status.deploying(during(state));
  vi.advanceTimersByTime(150_000);
  status.deploying([{ service, state: "DEPLOYED", result: "done" }]);
  status.pause();
  vi.advanceTimersByTime(600_000);
  expect(stderr.text.split("\n")).toEqual([
    "QUEUED Job shop/staging/a",
    "BUILDING Job shop/staging/a",
    "Still waiting for Job shop/staging/a: BUILDING (60 s)",
    "Still waiting for Job shop/staging/a: BUILDING (2 min)",
    "DEPLOYED Job shop/staging/a",
    "",
  ]);
});

test("without a terminal, a line says after a silent minute what else goes on", () => {
  const { console, stderr } = consoleOf();
  const status = new LineStatus(console);
  status.reading();
  vi.advanceTimersByTime(61_000);
  status.pause();
  expect(stderr.text).toBe("Still reading live resources (60 s)\n");
});

test("at a terminal that cannot redraw a line, one after five silent seconds says what goes on", () => {
  const { console, stderr } = consoleOf(0);
  const status = new LineStatus(console);
  status.reading();
  vi.advanceTimersByTime(11_000);
  status.pause();
  expect(stderr.text).toBe("Still reading live resources (5.0 s)\nStill reading live resources (10 s)\n");
});

test("a request to a service that is slow to answer is not silent for more than five seconds at a terminal", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { url } = await serve((_request, response) => {
    vi.advanceTimersByTime(6_000);
    response.end(JSON.stringify({ message: "done" }));
  });
  const { console, stderr } = consoleOf(0);
  const endpoint = await readEndpoint({ url, operator: {} }, undefined, console, []);
  expect(await endpoint({ type: "status" })).toMatchObject({ status: 200 });
  expect(stderr.text).toContain("Still waiting for the answer of the service");
});

test("a fetch from a repository is not silent for more than five seconds at a terminal", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { console, stderr } = consoleOf(0);
  const template = { git: "file:///none/templates.git", commit: "a".repeat(40), path: "a.yaml" };
  const { PATH } = process.env;
  const fetching = fetchTemplate(template, { ...console.io, env: { PATH } }).catch(() => "failed");
  while ((await Promise.race([fetching, immediate()])) === undefined) vi.advanceTimersByTime(6_000);
  expect(stderr.text).toContain("Still fetching a template from its repository");
});

test("at a terminal, the seconds stand beside the spinner, and each change of a state stays above it", () => {
  const { console, stderr } = consoleOf(80);
  const status = new SpinnerStatus(console);
  status.working("deploying");
  status.deploying(during("BUILDING"));
  vi.advanceTimersByTime(12_000);
  status.pause();
  expect(stderr.text).toContain("BUILDING Job shop/staging/a\n");
  expect(stderr.text).toContain("deploying Job shop/staging/a: BUILDING (12 s)");
  status.deploying(during("BUILDING"));
  vi.advanceTimersByTime(114_000);
  status.pause();
  expect(stderr.text.includes("BUILDING (2 min 5 s)")).toBe(true);
});
