import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { job, shop } from "../fixtures/documents.ts";
import { FaultyServer } from "../fixtures/faulty-server.ts";
import { programs } from "../fixtures/programs.ts";
import { removeFolder } from "../fixtures/remove-folder.ts";

let stage: FaultyServer;
let folder: string;
beforeAll(async () => {
  stage = await FaultyServer.open();
  await stage.succeed(documents);
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-disk-"));
});
afterEach(() => removeFolder(folder));

const documents = [...shop, ...Array.from({ length: 100 }, (_, index) => job(`shop/staging/job-${index}`))];

/** Runs the command line in a folder in which each file is limited to a few kilobytes. */
function onFullDisk(...args: string[]) {
  return onFullDiskAs('exec "$@"', args);
}

/** The same, with a line of shell around it. */
function onFullDiskAs(line: string, args: string[]) {
  const { url, token } = stage.connection;
  return spawn("sh", ["-c", `ulimit -f 32; ${line}`, "sh", process.execPath, programs.commandLine, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: token },
  });
}

describe("a full disk keeps the old file and leaves no part of the new one:", () => {
  test.each([
    [
      "a saved plan",
      ["plan", "changed.yaml", "--out", "file"],
      { file: '{"format":"infrasync-saved-plan"}' },
    ],
    ["a dump", ["dump", "shop", "--out", "dump.yaml"], {}],
    ["schemas", ["schema", "--out", "."], { "manifest.schema.json": "an earlier schema" }],
  ])("%s", async (_name, args, there) => {
    const changed = documents.map((document) => ({ ...document, description: "changed" })).slice(2);
    const before = { ...there, "changed.yaml": changed.map((document) => stringify(document)).join("---\n") };
    for (const [name, text] of Object.entries(before)) await writeFile(join(folder, name), text);
    const child = onFullDisk(...args);
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    await once(child, "close");
    expect(child.exitCode).toBe(1);
    expect(stderr).toMatch(
      /^error: EFBIG: file too large, write '[^\n]+'\n {2}check the path, .* the space on the disk/m,
    );
    expect(await contents()).toEqual(before);
  });

  test.each([["text"], ["json"]])(
    "the output of a command, which reports the failure and exits with an error (%s)",
    async (style) => {
      const child = onFullDiskAs('exec "$@" > out', ["dump", "shop", "--output", style]);
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += String(chunk)));
      await once(child, "close");
      expect({ code: child.exitCode, stderr }).toEqual({
        code: 1,
        stderr: "error: the output could not be written: EFBIG: file too large, write\n",
      });
    },
  );

  test("the data of the emulator, which reports the failure and continues", async () => {
    const child = onFullDisk("emulator", "--port", "0", "--data", "data.json");
    onTestFinished(async () => {
      child.kill();
      await once(child, "close");
    });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const { url, tokens, organization } = JSON.parse(line) as {
      url: string;
      tokens: { admin: string };
      organization: { id: string };
    };
    const create = (name: string) =>
      fetch(`${url}/organization/${organization.id}/project`, {
        method: "POST",
        headers: { authorization: `Token ${tokens.admin}`, "content-type": "application/json" },
        body: JSON.stringify({ name, description: "d".repeat(200) }),
      });
    const made: string[] = [];
    for (;;) {
      const before = await contents();
      const name = `project-${made.length}`;
      const { status } = await create(name);
      if (status === 500) {
        expect(await contents()).toEqual(before);
        break;
      }
      expect(status).toBe(200);
      made.push(name);
    }
    const { "data.json": text = "" } = await contents();
    expect(made.filter((name) => JSON.stringify(JSON.parse(text)).includes(`"${name}"`))).toEqual(made);
    expect(made.length).toBeGreaterThan(0);
  });
});

test.each(["core", "emulator"])("a kill during a write keeps the old file (%s)", async (part) => {
  const file = join(folder, "file");
  let halves = 0;
  for (let round = 0; round < 2; round += 1) {
    await writeFile(file, '{"text":"old"}');
    const started = Promise.withResolvers<void>();
    const watcher = watch(folder, (_event, name) => name !== "file" && started.resolve());
    const child = spawn(process.execPath, [programs.write, part, file], { stdio: "inherit" });
    await started.promise;
    watcher.close();
    child.kill("SIGKILL");
    await once(child, "close");
    const { text } = JSON.parse(await readFile(file, "utf8")) as { text: string };
    halves += text === "old" ? 1 : 0;
    expect(["old".length, 60_000_000]).toContain(text.length);
    for (const name of await readdir(folder)) await rm(join(folder, name));
  }
  expect(halves).toBeGreaterThan(0);
});

/** All files of the folder: name -> text. */
async function contents(): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]),
  );
  return Object.fromEntries(texts) as Record<string, string>;
}
