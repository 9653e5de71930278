import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SecretReader } from "../../../core/secrets/index.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "infrasync-secret-files-"));
  await mkdir(join(root, "secrets/inner"), { recursive: true });
  await mkdir(join(root, "secrets-of-others"));
  await writeFile(join(root, "token"), "the token of the service");
  await writeFile(join(root, "secrets-of-others/db"), "of others");
  await writeFile(join(root, "secrets/db"), "of the shop\n");
  await writeFile(join(root, "secrets/inner/db"), "of the inner folder");
  await symlink("../token", join(root, "secrets/link"));
});
afterAll(() => removeFolder(root));

function read(file: string, files: { folder: string } | "nowhere"): Promise<string> {
  const reader = new SecretReader({ environment: {}, allowCommands: false, files });
  return reader.read({ from_file: file });
}

test.each([
  ["db", "of the shop"],
  ["inner/db", "of the inner folder"],
])("a file in the folder of secrets is read: %s", async (file, value) => {
  expect(await read(file, { folder: join(root, "secrets") })).toBe(value);
  expect(await read(join(root, "secrets", file), { folder: join(root, "secrets") })).toBe(value);
});

test.each(["../token", "link", "../secrets-of-others/db", "/etc/hostname", ".", "missing/../../token"])(
  "a file outside of the folder of secrets is refused: %s",
  async (file) => {
    await expect(read(file, { folder: join(root, "secrets") })).rejects.toThrow(
      `the file ${file} is not in the folder of secrets`,
    );
  },
);

test("no file is read where none is allowed", async () => {
  await expect(read("db", "nowhere")).rejects.toThrow(
    "its value comes from the file db, and files are not allowed",
  );
});
