import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sourceFolders } from "../../tools/source-folders.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

const checkout = join(import.meta.dirname, "..", "..");
const copy = mkdtempSync(join(tmpdir(), "infrasync-unbuilt-"));
beforeAll(() => {
  for (const name of [...sourceFolders, "package.json"])
    cpSync(join(checkout, name), join(copy, name), {
      recursive: true,
      filter: (source) => basename(source) !== "checks",
    });
  writeFileSync(join(copy, "project.yaml"), "kind: Project\nname: shop\n");
});
afterAll(() => removeFolder(copy));

function validate() {
  const args = ["cli/main.ts", "validate", "project.yaml"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  return { status, stderr };
}

const refusal = { status: 3, stderr: "error: this checkout is not built; build first: npm ci\n" };

test("a checkout without packages, or without generated code, says in one line how to build it", () => {
  expect(validate()).toEqual(refusal);
  symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
  expect(validate()).toEqual(refusal);
});
