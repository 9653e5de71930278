import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changePauses, readPauses } from "../../../reconciler/policy/index.ts";

const by = { id: "user:root", name: "root on this machine" };
const pause = { pattern: "shop/staging", until: 2_000_000, reason: "manually", by, at: 500_000 };

async function folderWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-pauses-"));
  await writeFile(join(folder, "pauses.json"), text);
  return folder;
}

test("pauses stand beside each other, and end when they are taken out", async () => {
  const folder = await folderWith(JSON.stringify({ version: 1, pauses: [pause] }));
  await changePauses(folder, 1_000_000, (all) => [...all, { ...pause, pattern: "shop/*" }]);
  expect(await readPauses(folder)).toEqual([pause, { ...pause, pattern: "shop/*" }]);
  await changePauses(folder, 1_000_000, () => []);
  expect(await readPauses(folder)).toEqual([]);
});

test.each([
  ["no list", { pauses: 5 }],
  ["a person without an id", { pauses: [{ ...pause, by: "root" }] }],
  ["a pattern that names nothing", { pauses: [{ ...pause, pattern: "shop//staging" }] }],
  ["no time at which it was asked for", { pauses: [{ ...pause, at: undefined }] }],
])("a file of pauses with %s is refused: what was paused must not go on", async (_what, content) => {
  await expect(readPauses(await folderWith(JSON.stringify(content)))).rejects.toThrow(
    "pauses.json is damaged",
  );
});
