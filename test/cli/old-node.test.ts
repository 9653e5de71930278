import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programs } from "../fixtures/programs.ts";

/** A Node older than 22.12 on this machine, if it has one. */
const old = ["/usr/bin/node", "/usr/local/bin/node"].find((node) => {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout !== null && /^v(?:1\d|20|21)\./.test(stdout);
});

test.skipIf(!old)("an old Node says in one sentence what is needed, also through a link", async () => {
  const folder = await mkdtemp(join(tmpdir(), "infrasync-old-node-"));
  // npm link makes such a link.
  await symlink(programs.commandLine, join(folder, "infrasync"));
  for (const program of [programs.commandLine, join(folder, "infrasync")]) {
    const { status, stdout, stderr } = spawnSync(old ?? "", [program, "plan"], { encoding: "utf8" });
    expect({ status, stdout, stderr }).toEqual({
      status: 3,
      stdout: "",
      stderr: expect.stringMatching(
        /^infrasync needs Node 22\.12 or newer, and this is Node \d+\.\d+\.\d+: .*\n$/,
      ),
    });
  }
  await rm(folder, { recursive: true });
});

test("the program that is started imports nothing that an old Node could not load", async () => {
  const text = await readFile(programs.commandLine, "utf8");
  const imports = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, source]) => source);
  expect(imports).toEqual(["node:module"]);
  const folder = await mkdtemp(join(tmpdir(), "infrasync-old-node-"));
  const pretended = join(folder, "main.mjs");
  await writeFile(
    pretended,
    text.replace("process.versions.node", '"20.20.2"').replace("process.versions.node", '"20.20.2"'),
  );
  const { status, stderr } = spawnSync(process.execPath, [pretended], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining("this is Node 20.20.2") });
  await rm(folder, { recursive: true });
});
