import { expect, test } from "vitest";
import { spawnInfrasync } from "./child.ts";

test("a run that waits for what never comes says so and exits 1", async () => {
  // Standard input that nobody writes to, and that keeps no process alive.
  const code =
    'import { Readable } from "node:stream"; Object.defineProperty(process, "stdin", { value: new Readable({ read() {} }) })';
  const preload = `data:text/javascript,${encodeURIComponent(code)}`;
  const child = spawnInfrasync(["validate", "-"], { NODE_OPTIONS: `--import=${preload}` });
  const { code: exitCode, stderr } = await child.ended;
  expect(stderr).toContain("error: the run stopped unexpectedly, and some changes may have been made");
  expect(exitCode).toBe(1);
});
