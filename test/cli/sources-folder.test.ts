import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { CommittedSources, filesOfFolder } from "../../cli/service/fleet/sources-folder.ts";

import type { Io } from "../../cli/terminal/io.ts";
import { GitRepository } from "../fixtures/git-repository.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "infrasync-sources-"));
  return () => removeFolder(folder);
});

test("the files of a ConfigMap, which are links, are read once each", async () => {
  mkdirSync(join(folder, "..2026_11_27"));
  writeFileSync(join(folder, "..2026_11_27", "shop.yaml"), "kind: Source\n");
  symlinkSync("..2026_11_27", join(folder, "..data"));
  symlinkSync("..data/shop.yaml", join(folder, "shop.yaml"));
  expect(await filesOfFolder(folder)).toEqual([{ name: "shop.yaml", text: "kind: Source\n" }]);
});

test("a link that leaves the folder, and a folder that is not there, end the reading: a part of the files would end the other sources", async () => {
  writeFileSync(join(folder, "shop.yaml"), "kind: Source\n");
  symlinkSync("/etc/hostname", join(folder, "other.yaml"));
  await expect(filesOfFolder(folder)).rejects.toThrow("other.yaml");
  await expect(filesOfFolder(join(folder, "none"))).rejects.toThrow("none");
});

test("a folder without files has no sources", async () => {
  expect(await filesOfFolder(folder)).toEqual([]);
});

test("a link among the committed files is told: what it held would be gone without a word", async () => {
  using repository = new GitRepository();
  repository.push({ "shop.yaml": "kind: Source\n" });
  const committed = new CommittedSources(
    {
      address: { url: repository.origin, protocol: "file" },
      branch: "main",
      revision: undefined,
      path: "",
      data: undefined,
      interval: 1000,
      budgetShares: { checking: 0.5, applying: 0.5 },
      allowedSigners: undefined,
    },
    join(folder, "copy"),
    { io: { env: process.env, signal: new AbortController().signal } as Io },
  );
  expect(await committed.files()).toEqual([{ name: "shop.yaml", text: "kind: Source\n" }]);
  repository.push({ "shop.yaml": { link: "../shop.yaml" } });
  await expect(committed.files()).rejects.toThrow("the file of sources shop.yaml is a symbolic link");
});
