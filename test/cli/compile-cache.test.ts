import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compileCacheFolder } from "../../cli/compile-cache.ts";
import { spawnInfrasync } from "./child.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "infrasync-home-"))));
afterEach(() => removeFolder(home));

const user = process.geteuid?.() ?? 0;
const folder = () => compileCacheFolder({ HOME: home }, user);
const expected = () => join(home, ".cache", "infrasync", "compiled");

test("compiled modules are kept in the user's own cache folder, which nobody else can read", () => {
  expect(folder()).toBe(expected());
  expect(lstatSync(expected()).mode & 0o777).toBe(0o700);
  expect(folder()).toBe(expected());
  expect(compileCacheFolder({ HOME: home, XDG_CACHE_HOME: join(home, "caches") }, user)).toBe(
    join(home, "caches", "infrasync", "compiled"),
  );
});

test.each<[string, () => void]>([
  ["others can write", () => chmodSync(expected(), 0o777)],
  ["others can read", () => chmodSync(expected(), 0o755)],
  [
    "is a link",
    () => {
      rmSync(expected(), { recursive: true });
      mkdirSync(join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), expected());
    },
  ],
  [
    "is in a folder behind a link",
    () => {
      rmSync(join(home, ".cache", "infrasync"), { recursive: true });
      mkdirSync(join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), join(home, ".cache", "infrasync"));
    },
  ],
])("nothing is kept in a folder that %s", (_what, change) => {
  folder();
  change();
  expect(folder()).toBeUndefined();
});

test("nothing is kept in a folder of another user, and none is made in one", () => {
  expect(compileCacheFolder({ HOME: home }, user + 1)).toBeUndefined();
  expect(readdirSync(home)).toEqual([]);
  folder();
  expect(compileCacheFolder({ HOME: home }, user + 1)).toBeUndefined();
});

test.each([{}, { HOME: "" }, { HOME: "relative" }, { HOME: "/dev/null" }])(
  "without a home, nothing is kept: %j",
  (env) => {
    expect(compileCacheFolder(env, user)).toBeUndefined();
  },
);

test("the program leaves nothing in the temporary directory, and reads nothing from there", async () => {
  const temporary = join(home, "temporary");
  mkdirSync(temporary);
  const env = { HOME: home, TMPDIR: temporary, NODE_COMPILE_CACHE: "" };
  expect((await spawnInfrasync(["--version"], env).ended).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(expected())).not.toEqual([]);
});
