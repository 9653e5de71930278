import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundle } from "../../tools/bundle.ts";

test("the report of an internal error names places in the sources, not in the bundle", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-stack-"));
  const source = "test/faults/throwing-process.ts";
  try {
    await bundle({ main: source }, folder);
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, "main.js")]);
    const text = await readFile(path.join(import.meta.dirname, "..", "..", source), "utf8");
    const line = text.split("\n").findIndex((each) => each.includes("new Error")) + 1;
    expect(stdout).toMatch(/^internal error: Error: nobody expects this\n/);
    expect(stdout).toContain(`${source}:${line}:`);
    expect(stdout).not.toContain("main.js");
  } finally {
    await rm(folder, { recursive: true });
  }
});
