import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle, plugin } from "../../tools/bundle.ts";
import { programs } from "../fixtures/programs.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

/** A Node older than 22.12 on this machine, if it has one. */
const old = ["/usr/bin/node", "/usr/local/bin/node"].find((node) => {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout !== null && /^v(?:1\d|20|21)\./.test(stdout);
});

const folder = mkdtempSync(join(tmpdir(), "infrasync-old-node-"));
beforeAll(() => bundle(plugin, join(folder, "plugin")));
afterAll(() => removeFolder(folder));

const started = [
  ["the command line", programs.commandLine],
  ["the Pulumi plugin", join(folder, "plugin", "main.js")],
] as const;

/** Runs a program with the old Node, by its file and by a link such as `npm link` makes. */
async function ranByOld(name: string, file: string) {
  const link = join(folder, name);
  await symlink(file, link);
  return [file, link].map((program) => spawnSync(old ?? "", [program, "--version"], { encoding: "utf8" }));
}

test.skipIf(!old)(
  "in a checkout, an old Node runs the command line with the Node of the checkout",
  async () => {
    for (const { status, stdout, stderr } of await ranByOld("linked", programs.commandLine))
      expect({ status, stdout, stderr }).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
        stderr: "",
      });
    // Exit codes pass, too.
    expect(spawnSync(old ?? "", [programs.commandLine, "nonsense"]).status).toBe(3);
  },
);

test.skipIf(!old)("what the Node of the checkout runs ends with an old Node that is killed", async () => {
  const parent = spawn(old ?? "", [programs.commandLine, "emulator", "--port", "0"]);
  await once(parent.stdout, "data");
  parent.kill("SIGKILL");
  // The pipe closes when the last process that has it is gone.
  await once(parent.stdout, "close");
});

test.skipIf(!old)(
  "the Pulumi plugin says to an old Node in one sentence what is needed, also through a link",
  async () => {
    for (const { status, stdout, stderr } of await ranByOld("plugged", join(folder, "plugin", "main.js")))
      expect({ status, stdout, stderr }).toEqual({
        status: 3,
        stdout: "",
        stderr: expect.stringMatching(
          /^infrasync needs Node 22\.12 or newer, and this is Node \d+\.\d+\.\d+: .*\n$/,
        ),
      });
  },
);

test.skipIf(!old).each(["core/index.js", "provider/index.js"])(
  "%s, imported by an old Node, says what is needed",
  (file) => {
    const library = join(programs.commandLine, "../..", file);
    const { stderr } = spawnSync(
      old ?? "",
      ["--input-type=module", "--eval", `import ${JSON.stringify(library)}`],
      { encoding: "utf8" },
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

test.skipIf(!old)("the emulator of the library says to an old Node what is needed", () => {
  const file = join(dirname(programs.commandLine), "..", "emulator", "index.js");
  const { stderr } = spawnSync(old ?? "", [file], { encoding: "utf8" });
  expect(stderr).toMatch(/Error: the emulator of infrasync needs Node 22\.12 or newer, and this is Node \d+/);
});
