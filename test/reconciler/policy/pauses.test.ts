import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changePauses, readPauses } from "../../../reconciler/policy/index.ts";

const earlier = { pattern: "shop/staging", until: 2_000_000, reason: "by hand", by: "root on this machine" };

async function folderWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-pauses-"));
  await writeFile(join(folder, "suspensions.json"), text);
  return folder;
}

test("a pause of a version that called it a suspension holds on, and stands beside new ones", async () => {
  const folder = await folderWith(JSON.stringify({ version: 1, suspensions: [earlier] }));
  const [pause] = await readPauses(folder);
  expect(pause).toMatchObject({ ...earlier, by: { name: "root on this machine" } });
  const another = { ...earlier, pattern: "shop/*", by: { id: "user:anna", name: "anna" }, at: 1_000_000 };
  await changePauses(folder, 1_000_000, (all) => [...all, another]);
  const patterns = (await readPauses(folder)).map(({ pattern }) => pattern);
  expect(patterns).toEqual(["shop/staging", "shop/*"]);
  await changePauses(folder, 1_000_000, () => []);
  expect(await readPauses(folder)).toEqual([]);
  expect(await readFile(join(folder, "pauses.json"), "utf8")).toContain("pauses");
});

test("a damaged file of that version is refused: what was paused must not go on", async () => {
  await expect(readPauses(await folderWith('{"suspensions": 5}'))).rejects.toThrow("suspensions.json");
});
