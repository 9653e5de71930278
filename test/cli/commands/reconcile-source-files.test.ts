import { join } from "node:path";
import { expect, test } from "vitest";
import { CommittedSources } from "../../../cli/service/fleet/sources-folder.ts";
import { defaultShares } from "../../../reconciler/index.ts";
import type { Io } from "../../../cli/terminal/io.ts";
import { GitRepository } from "../../fixtures/git-repository.ts";

test("a file of sources that is too large is an error, and does not count as empty", async () => {
  using repository = new GitRepository();
  const place = {
    address: { url: repository.origin, protocol: "file" as const },
    branch: "main",
    revision: undefined,
    path: "sources",
    data: undefined,
    interval: 60_000,
    budgetShares: defaultShares,
    allowedSigners: undefined,
  };
  const io = { env: { PATH: process.env["PATH"] } } as unknown as Io;
  const sources = new CommittedSources(place, join(repository.folder, "copy"), { io });
  repository.push({ "sources/a.yaml": "kind: Source\n" });
  expect(await sources.files()).toEqual([{ name: "a.yaml", text: "kind: Source\n" }]);
  repository.push({ "sources/a.yaml": `kind: Source\n#${" ".repeat(1024 * 1024)}\n` });
  await expect(sources.files()).rejects.toThrow("the file of sources a.yaml has more than 1 MiB");
});
