import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundle } from "../../tools/bundle.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

test("the report of an internal error in a bundle names the functions of the sources", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "infrasync-stack-"));
  try {
    await bundle({ main: "test/faults/throwing-process.ts" }, folder);
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, "main.js")]);
    expect(stdout).toMatch(/^internal error: Error: nobody expects this\n {4}at meetNobodysExpectation \(/);
  } finally {
    await removeFolder(folder);
  }
});
