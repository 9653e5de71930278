import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Harness } from "../fixtures/harness.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

test("the example of the page about the library plans, is approved and executes", async () => {
  await using server = await Harness.start();
  const folder = await mkdtemp(join(tmpdir(), "infrasync-library-"));
  try {
    const page = await readFile(new URL("../../docs/reference/library.md", import.meta.url), "utf8");
    const [, example = ""] = /```ts\n(.*?)```/s.exec(page) ?? [];
    const library = new URL("../../core/index.ts", import.meta.url).href;
    await writeFile(join(folder, "program.mts"), example.replace('"infrasync"', JSON.stringify(library)));
    await mkdir(join(folder, "manifests"));
    await writeFile(
      join(folder, "manifests/shop.yaml"),
      `kind: Project
name: shop
---
kind: Environment
project: shop
name: staging
cluster: eu-west
variables: { TAG: "\${TAG}" }
`,
    );
    const { url, tokens } = server.emulator;
    const env = { ...process.env, INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: tokens.admin };
    const run = async () =>
      (await promisify(execFile)(process.execPath, ["program.mts"], { cwd: folder, env })).stdout;
    expect(await run()).toBe(
      "create project:shop\ncreate environment:shop/staging\ncreate job:shop/staging/report\ndone\n",
    );
    expect(await run()).toBe(
      "none project:shop\nnone environment:shop/staging\nnone job:shop/staging/report\nunchanged\n",
    );
  } finally {
    await removeFolder(folder);
  }
});
