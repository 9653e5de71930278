import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeManifests } from "../../../cli/files/write-files.ts";
import { makeFolder, writeWhole } from "../../../core/files/files.ts";
import { ensureWritable } from "../../../core/files/writable.ts";
import { job } from "../../../core/model/kinds/job.ts";
import { InvalidInputError } from "../../../core/problems/problem.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "infrasync-files-"));
});
afterEach(() => removeFolder(folder));

describe("writing a file", () => {
  test("replaces an old file with the given permissions", async () => {
    const file = path.join(folder, "plan.json");
    await writeWhole(file, "old", 0o600);
    await writeWhole(file, "new");
    expect(await readFile(file, "utf8")).toBe("new");
    expect((await stat(file)).mode % 0o1000).toBe(0o600);
    expect(await readdir(folder)).toEqual(["plan.json"]);
  });

  test("never replaces a pipe, a device, a folder or a broken link", async () => {
    const pipe = path.join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const link = path.join(folder, "link");
    symlinkSync("nowhere", link);
    for (const other of [pipe, folder, "/dev/null", link]) {
      await expect(writeWhole(other, "text")).rejects.toMatchObject({
        problems: [{ message: `${other} is not a regular file, so nothing is written to it` }],
      });
    }
    expect((await stat(pipe)).isFIFO()).toBe(true);
    await expect(writeWhole("", "text")).rejects.toMatchObject({
      problems: [{ message: "the name of the file to write is empty" }],
    });
  });
});

/** Root, the user of tests in a container, may write everywhere, so another user is used then. */
const asAnyUser = `
  import { ensureWritable } from ${JSON.stringify(path.join(import.meta.dirname, "../../../core/files/writable.ts"))};
  if (process.getuid() === 0) process.setuid(65534);
  await ensureWritable(process.env.FILE).catch(({ message }) => console.log(message));
`;

describe("whether a file can be written is known in advance", () => {
  const message = (file: string, makesFolders?: boolean) =>
    ensureWritable(path.join(folder, file), makesFolders).then(
      () => "yes",
      (error: unknown) =>
        error instanceof InvalidInputError ? error.message.replaceAll(folder, "FOLDER") : error,
    );

  test.each([
    ["a.json", false, "yes"],
    ["more/a.json", false, "there is no folder FOLDER/more"],
    ["more/and/more/a.json", true, "yes"],
    ["file/a.json", false, "FOLDER/file is not a folder"],
    ["file/more/a.json", true, "FOLDER/file is not a folder"],
    ["", false, "FOLDER is not a regular file, so nothing is written to it"],
  ])("%j, with folders created: %j", async (file, makesFolders, expected) => {
    await writeFile(path.join(folder, "file"), "");
    expect(await message(file, makesFolders)).toBe(expected);
    expect(await readdir(folder)).toEqual(["file"]);
  });

  test("a folder of another user", async () => {
    await chmod(folder, 0o555);
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", asAnyUser], {
      encoding: "utf8",
      env: { ...process.env, FILE: path.join(folder, "a.json") },
    });
    expect(said).toBe(`the folder ${folder} is not writable by this user\n`);
  });
});

describe("writing manifests", () => {
  const dumped = (name: string, cpu: number) => ({
    kind: job,
    parent: "shop/staging",
    name,
    fields: { cpu },
  });

  test("replaces an existing file only when the content is the same", async () => {
    await writeManifests(folder, [dumped("a", 100)]);
    await writeManifests(folder, [dumped("a", 100)]);
    await expect(writeManifests(folder, [dumped("b", 100), dumped("a", 200)])).rejects.toMatchObject({
      problems: [
        { message: `${path.join(folder, "shop/staging/job-a.yaml")} already exists with other content` },
      ],
    });
    expect(await readdir(path.join(folder, "shop/staging"))).toEqual(["job-a.yaml"]);
  });

  test("makes the text of a file when the one before it has been written", async () => {
    const first = path.join(folder, "shop/staging/job-a.yaml");
    const wasThere: boolean[] = [];
    const second = {
      ...dumped("b", 100),
      get fields() {
        wasThere.push(existsSync(first));
        return { cpu: 100 };
      },
    };
    await writeManifests(folder, [dumped("a", 100), second]);
    expect(wasThere.every(Boolean)).toBe(true);
    expect(wasThere.length).toBeGreaterThan(0);
  });

  test("uses valid and unique file names", async () => {
    const long = "n".repeat(300);
    const files = await writeManifests(folder, [dumped(`${long}1`, 100), dumped(`${long}2`, 100)]);
    expect(new Set(files).size).toBe(2);
    expect(await readdir(path.join(folder, "shop/staging"))).toHaveLength(2);
  });
});

describe("making a folder", () => {
  test("makes those above it too, with the given permissions, and may be repeated", async () => {
    const inner = path.join(folder, "a", "b");
    await makeFolder(inner, 0o700);
    await makeFolder(inner, 0o700);
    expect((await stat(path.join(folder, "a"))).mode % 0o1000).toBe(0o700);
    expect((await stat(inner)).isDirectory()).toBe(true);
  });

  test("fails where a file has the name, or a part of it", async () => {
    const file = path.join(folder, "file");
    await writeFile(file, "");
    await expect(makeFolder(file)).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeFolder(path.join(file, "inner"))).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  test.skipIf(process.platform !== "linux")("fails where nothing can be created", async () => {
    await expect(makeFolder("/proc/infrasync/inner")).rejects.toThrow(/ENOENT|EACCES/);
  });
});
