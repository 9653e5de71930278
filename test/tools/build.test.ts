import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { isNewer } from "../../tools/newer.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const [before, built, after] = [1_000, 2_000, 3_000];
const isFresh = () => isNewer(at("dist"), [at("core"), at("package.json")]);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-build-"));
  await mkdir(at("dist"));
  await mkdir(at("core/plan"), { recursive: true });
  for (const name of ["core/plan/plan.ts", "core/old.ts", "package.json"]) await writeFile(at(name), "");
  for (const name of ["core/plan/plan.ts", "core/old.ts", "package.json", "core/plan", "core"])
    await utimes(at(name), before, before);
  await utimes(at("dist"), built, built);
  return () => removeFolder(folder);
});

test("a build that is newer than its sources stays", async () => {
  expect(await isFresh()).toBe(true);
});

test.each<[string, () => Promise<void>]>([
  ["is missing", () => rm(at("dist"), { recursive: true })],
  ["is older than a file", () => utimes(at("package.json"), after, after)],
  ["is older than a file of a folder", () => utimes(at("core/plan/plan.ts"), after, after)],
  ["has a file whose source is gone", () => rm(at("core/old.ts"))],
])("a build is made anew where it %s", async (_what, change) => {
  await change();
  expect(await isFresh()).toBe(false);
});
