import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Requests } from "../../../reconciler/requests/index.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const by = { id: "user:root", name: "root on this machine" };
const pause = { pattern: "shop/staging", until: 2_000_000, reason: "manually", by, at: 500_000 };
const none = { requested: {}, rollbacks: {}, pauses: [], ended: [], known: [] };

async function requestsOf(content: object): Promise<Requests> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-requests-"));
  await writeFile(join(folder, "requests.json"), JSON.stringify(content));
  return new Requests(folder);
}

test("pauses stand beside each other, and end when they are taken out", async () => {
  const requests = await requestsOf({ version: 1, ...none, pauses: [pause] });
  await requests.open();
  await requests.change({ pauses: (all) => [...all, { ...pause, pattern: "shop/*" }] }, by, 1_000_000);
  expect(requests.pauses).toEqual([pause, { ...pause, pattern: "shop/*" }]);
  await requests.change({ pauses: () => [] }, by, 1_000_000);
  expect(requests.pauses).toEqual([]);
});

test.each([
  ["no list of pauses", { pauses: 5 }],
  ["a person without an id", { pauses: [{ ...pause, by: "root" }] }],
  ["a pattern that names nothing", { pauses: [{ ...pause, pattern: "shop//staging" }] }],
  ["no time at which a pause was requested", { pauses: [{ ...pause, at: undefined }] }],
])("a file of requests with %s pauses everything: what was paused must not go on", async (_what, content) => {
  const requests = await requestsOf({ ...none, ...content });
  await requests.open();
  expect(requests.unknown?.message).toContain("requests.json is damaged");
  expect(requests.pauses).toMatchObject([
    { pattern: "**", reason: expect.stringContaining("requests.json is damaged") },
  ]);
  await expect(requests.change({ pauses: () => [] }, by, 1_000_000)).rejects.toThrow("is damaged");
});

test("a request that cannot be stored is not in force, nor is one that was built on it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-requests-"));
  const file = join(folder, "requests.json");
  const requests = new Requests(folder);
  await requests.open();
  await requests.change({ pauses: () => [pause] }, by, 1_000_000);
  await rm(file);
  await mkdir(file);
  const add = (pattern: string) =>
    requests.change({ pauses: (all) => [...all, { ...pause, pattern }] }, by, 1_000_000);
  expect(await Promise.allSettled([add("shop/a"), add("shop/b")])).toMatchObject([
    { status: "rejected" },
    { status: "rejected" },
  ]);
  expect(requests.pauses).toEqual([pause]);
  await removeFolder(file);
  await add("shop/c");
  expect(requests.pauses).toEqual([pause, { ...pause, pattern: "shop/c" }]);
  const again = new Requests(folder);
  await again.open();
  expect(again.pauses).toEqual(requests.pauses);
});
