import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  clearCacheFiles,
  fileFor,
  type CachedState,
  readCacheFile,
  writeCacheFile,
} from "../../../../../core/state/live/cache-files/file.ts";
import { CacheKey } from "../../../../../core/state/live/cache-files/key.ts";
import { leavesOf, masked, unmasked } from "../../../../../core/state/live/cache-files/mask.ts";
import { variableListing } from "../../../../../core/model/parts/variable-list.ts";
import { removeFolder } from "../../../../fixtures/remove-folder.ts";

const key = new CacheKey("the token of the tests");
const shared = { id: "v0", key: "REGION", value: "\u0001no text", scope: "PROJECT" };
const state = (count: number): CachedState => ({
  looked: 7,
  known: new Set(["event 1"]),
  runs: new Map([["run 1", { end: 5, isOver: true, lasted: 3, events: 2 }]]),
  lists: new Map(
    Array.from({ length: count }, (_, index) => [
      `list ${index}`,
      {
        owner: `owner-${index}`,
        above: ["environment", "project"],
        at: index,
        changed: "2026-11-24T00:00:00Z",
        isReported: index === 0,
        entries: [{ id: `v${index}`, key: "A", value: "hash", scope: "JOB" }, shared],
      },
    ]),
  ),
});

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-parts-"));
  file = fileFor(folder, key, "https://api.example.com", "organization");
});
afterEach(() => removeFolder(folder));

test("parts that are kept on disk can be read again, and only their owner can read the file", async () => {
  await writeCacheFile(file, state(3), key);
  expect(await readCacheFile(file, key)).toEqual(state(3));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a damaged file, and one of another token, server or organization are no store", async () => {
  await writeCacheFile(file, state(2), key);
  const text = await readFile(file, "utf8");
  expect(await readCacheFile(file, new CacheKey("another token"))).toBeUndefined();
  for (const damaged of [
    text.slice(0, -1),
    text.slice(1),
    "",
    "\n\n",
    text.replace("owner-1", "owner-2"),
    `${text}x`,
  ]) {
    await writeFile(file, damaged);
    expect(await readCacheFile(file, key)).toBeUndefined();
  }
  expect(await readCacheFile(folder, key)).toBeUndefined();
  expect(fileFor(folder, key, "https://api.example.com", "another")).not.toBe(file);
  const another = fileFor(folder, key, "https://other.example.com", "organization");
  expect(another).not.toBe(file);
  await writeCacheFile(file, state(2), key);
  await copyFile(file, another);
  expect(await readCacheFile(another, key)).toBeUndefined();
});

test("two processes that write at the same time leave a whole store of one of them", async () => {
  await Promise.all(Array.from({ length: 8 }, (_, index) => writeCacheFile(file, state(index + 1), key)));
  const kept = await readCacheFile(file, key);
  expect(kept).toEqual(state(kept?.lists.size ?? 0));
  expect(await readdir(folder)).toHaveLength(1);
});

test("a store is never written through a link", async () => {
  const elsewhere = join(folder, "elsewhere");
  await writeFile(elsewhere, "mine");
  await symlink(elsewhere, file);
  await writeCacheFile(file, state(1), key);
  expect(await readFile(elsewhere, "utf8")).toBe("mine");
  expect(await readCacheFile(file, key)).toEqual(state(1));
});

test("a process that is killed while it writes leaves a whole store", async () => {
  await writeCacheFile(file, state(1), key);
  const module = new URL("../../../../../core/state/live/cache-files/", import.meta.url);
  const program = `
    import { readCacheFile, writeCacheFile } from "${module.href}file.ts";
    import { CacheKey } from "${module.href}key.ts";
    const key = new CacheKey("the token of the tests");
    const state = await readCacheFile(process.argv[1], key);
    for (let looked = 0; ; looked += 1) {
      await writeCacheFile(process.argv[1], { ...state, looked }, key);
      if (looked === 1) console.log("writing");
    }`;
  for (const delay of [0, 1, 2, 3, 5]) {
    const args = ["--input-type=module", "--eval", program, file];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    await setTimeout(delay);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await readCacheFile(file, key))?.lists).toEqual(state(1).lists);
  }
});

test("kept files that are unused for two days are deleted, with leftovers of killed processes; other files stay", async () => {
  await writeCacheFile(file, state(1), key);
  const left = `${file}.3f8c.tmp`;
  await writeFile(left, "half");
  const mine = join(folder, "notes.json");
  await writeFile(mine, "mine");
  expect(await clearCacheFiles(folder, Date.now())).toBe(0);
  for (const each of [left, mine]) await utimes(each, 0, 0);
  await clearCacheFiles(folder, Date.now());
  expect((await readdir(folder)).toSorted()).toEqual(
    ["notes.json", file.slice(folder.length + 1)].toSorted(),
  );
  expect(await clearCacheFiles(folder)).toBe(1);
  expect(await readdir(folder)).toEqual(["notes.json"]);
});

test("ten thousand services with thirty variables around them take less than 8 MB", async () => {
  const many = state(10_000);
  const around = Array.from({ length: 30 }, (_, index) => ({ ...shared, id: `around-${index}` }));
  for (const list of many.lists.values()) list.entries = [...list.entries, ...around];
  await writeCacheFile(file, many, key);
  expect((await stat(file)).size).toBeLessThan(8_000_000);
  expect((await readCacheFile(file, key))?.lists.size).toBe(10_000);
});

test("values are hashed, and come back only where a document declares them", () => {
  const listing = variableListing("job", "JOB");
  const entry = {
    id: "v1",
    key: "PASSWORD_POLICY",
    value: "at least 12",
    description: "how strict",
    scope: "JOB",
    is_secret: false,
    aliased_variable: { id: "v2", key: "OTHER", value: "of another" },
  };
  const [hidden = {}, twin = {}] = masked([entry, { ...entry, id: "v9" }], listing, "place", key) ?? [];
  expect(JSON.stringify(hidden)).not.toMatch(/at least|how strict|of another/);
  expect(hidden).toMatchObject({
    id: "v1",
    key: "PASSWORD_POLICY",
    scope: "JOB",
    aliased_variable: { key: "OTHER" },
  });
  // Equal values of two variables cannot be told to be equal.
  expect(twin["value"]).not.toBe(hidden["value"]);
  const shown = unmasked(hidden, leavesOf({ value: "at least 12", description: "another" }), "place", key);
  expect(shown).toMatchObject({ value: "at least 12" });
  expect(shown["description"]).toBe(hidden["description"]);
});

test("an entry that several lists share is hashed once", () => {
  const entry = { id: "v1", key: "HOST", value: "app-z1", scope: "BUILT_IN", is_secret: false };
  const done = new WeakMap();
  const [first] = masked([entry], variableListing("a", "CONTAINER"), "place of a", key, done) ?? [];
  const [second] = masked([entry], variableListing("b", "CONTAINER"), "place of b", key, done) ?? [];
  expect(second).toBe(first);
  // Without an id, the place is part of the hash.
  const { id: _id, ...unnamed } = entry;
  const [here] = masked([unnamed], variableListing("a", "CONTAINER"), "place of a", key, done) ?? [];
  const [there] = masked([unnamed], variableListing("b", "CONTAINER"), "place of b", key, done) ?? [];
  expect(there).not.toEqual(here);
});

test("a list that shows the value of a secret is not kept", () => {
  const listing = variableListing("job", "JOB");
  const secret = {
    id: "v1",
    key: "TOKEN",
    value: null,
    is_secret: true,
    scope: "JOB",
    description: "version 3",
  };
  expect(masked([secret], listing, "place", key)).toEqual([secret]);
  expect(masked([{ ...secret, value: "shown" }], listing, "place", key)).toBeUndefined();
});
