import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle, plugin } from "../../tools/bundle.ts";
import { programs } from "../fixtures/programs.ts";

/** A Node older than 22.12 on this machine, if it has one. */
const old = ["/usr/bin/node", "/usr/local/bin/node"].find((node) => {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout !== null && /^v(?:1\d|20|21)\./.test(stdout);
});

const folder = mkdtempSync(join(tmpdir(), "infrasync-old-node-"));
beforeAll(() => bundle(plugin, join(folder, "plugin")));
afterAll(() => rmSync(folder, { recursive: true }));

const started = [
  ["the command line", programs.commandLine],
  ["the Pulumi plugin", join(folder, "plugin", "main.js")],
] as const;

test.skipIf(!old).each(started)(
  "%s says to an old Node in one sentence what is needed, also through a link",
  async (name, file) => {
    const link = join(folder, name);
    // npm link makes such a link.
    await symlink(file, link);
    for (const program of [file, link]) {
      const { status, stdout, stderr } = spawnSync(old ?? "", [program, "plan"], { encoding: "utf8" });
      expect({ status, stdout, stderr }).toEqual({
        status: 3,
        stdout: "",
        stderr: expect.stringMatching(
          /^infrasync needs Node 22\.12 or newer, and this is Node \d+\.\d+\.\d+: .*\n$/,
        ),
      });
    }
  },
);

test.skipIf(!old)(
  "in a checkout, the command line names the Node that npm ci has installed there",
  async () => {
    const { stderr } = spawnSync(old ?? "", [programs.commandLine, "plan"], { encoding: "utf8" });
    const [, first = ""] = /export PATH="(.*):\$PATH"\n$/.exec(stderr) ?? [];
    const { status } = spawnSync(programs.commandLine, ["--version"], {
      env: { PATH: `${first}:${process.env["PATH"]}` },
    });
    expect(status).toBe(0);
  },
);

test.skipIf(!old).each(["core/index.js", "provider/index.js"])(
  "%s, imported by an old Node, says what is needed",
  (file) => {
    const library = join(programs.commandLine, "../..", file);
    const { stderr } = spawnSync(
      old ?? "",
      ["--input-type=module", "--eval", `import ${JSON.stringify(library)}`],
      {
        encoding: "utf8",
      },
    );
    expect(stderr).toMatch(/Error: infrasync needs Node 22\.12 or newer, and this is Node/);
  },
);

test.each(started)("%s begins with a file that an old Node can load", async (_, file) => {
  const text = await readFile(file, "utf8");
  const imports = [...text.matchAll(/^import .*"(.*)";$/gm)].map(([, source]) => source);
  expect(imports.filter((source) => !source?.startsWith("node:"))).toEqual([]);
  const pretended = `${file.replace(/main\.js$/, "")}pretended.mjs`;
  await writeFile(pretended, text.replaceAll("process.versions", '({ node: "20.20.2" })'));
  const { status, stderr } = spawnSync(process.execPath, [pretended], { encoding: "utf8", timeout: 30_000 });
  rmSync(pretended);
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringContaining("this is Node 20.20.2") });
});
