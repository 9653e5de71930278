import { expect, test } from "vitest";
import { infrasync } from "../captured.ts";

const env = { GITHUB_ACTIONS: "true" };
const stopped = /^::stop-commands::([\da-f-]{36})\n/;

test("the runner of GitHub takes no line of either stream as a command until the job ends", async () => {
  const { stdout, stderr } = await infrasync(["ci", "plan"], { env });
  const [, mark] = stopped.exec(stdout) ?? [];
  expect(mark).toBeDefined();
  expect(stdout.endsWith(`::${mark}::\n`)).toBe(true);
  expect(stderr.startsWith(`::stop-commands::${mark}\n`)).toBe(true);
});

test("another runner gets no mark", async () => {
  const { stdout, stderr } = await infrasync(["ci", "plan"]);
  expect(stdout + stderr).not.toContain("::stop-commands::");
});
