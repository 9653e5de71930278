import { mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { SecretReader, type SecretSources } from "../../../core/secrets/index.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

const token = "t0ken-of-the-run";
const gitHostToken = "t0ken-of-the-forge";

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-refused-secrets-"));
  await symlink("/proc/self/environ", at("link"));
  await symlink("/proc/self", at("folder"));
  await writeFile(at("git-host-token"), `${gitHostToken}\n`);
  await writeFile(at("copy-of-the-token"), `  ${token}\n`);
  await writeFile(at(".env"), `export INFRASYNC_TOKEN=${token}\n`);
  await writeFile(at("bytes"), Buffer.from([0x70, 0xff, 0x77]));
  await writeFile(at("marked"), "\uFEFFvalue\r\n");
  await writeFile(at("empty"), "");
  await writeFile(at("line"), "\n");
  await writeFile(at("blank"), " \t\n");
});
afterAll(() => removeFolder(folder));

function read(reference: Fields, more: Partial<SecretSources> = {}): Promise<string> {
  const environment = {
    INFRASYNC_TOKEN: token,
    INFRASYNC_GIT_HOST_TOKEN_FILE: at("git-host-token"),
    INFRASYNC_VAR_TAG: "a value for manifests",
    COPY_OF_THE_TOKEN: token,
    SHOP_DB: "of the shop",
    SHOP_EMPTY: "",
    MARKED: "\uFEFFvalue",
    BYTES: "p\uFFFDw",
    ...more.environment,
  };
  return new SecretReader({ allowCommands: true, ...more, environment }).read(reference);
}

test.each([
  "INFRASYNC_TOKEN",
  "infrasync_token",
  "INFRASYNC_GIT_HOST_TOKEN",
  "INFRASYNC_GIT_HOST_TOKEN_FILE",
  "INFRASYNC_APPLY_TOKEN",
  "INFRASYNC_GIT_TOKEN",
  "INFRASYNC_WEBHOOK_SECRET",
  "INFRASYNC_BASE_URL",
])("no secret comes from a variable of infrasync: %s", async (name) => {
  await expect(read({ from_env: name })).rejects.toThrow(
    `the environment variable ${name} is infrasync's own, and no secret may come from it`,
  );
});

test("a secret may come from a variable whose value is for manifests", async () => {
  expect(await read({ from_env: "INFRASYNC_VAR_TAG" })).toBe("a value for manifests");
});

test.each(["/proc/self/environ", "/proc/1/environ", "/dev/stdin", "/proc/../proc/self/environ"])(
  "no secret comes from what the system makes up: %s",
  async (file) => {
    await expect(read({ from_file: file })).rejects.toThrow(`the file ${file} is in /proc, /dev, /sys`);
    await expect(read({ from_sops: `${file}#key` })).rejects.toThrow("is in /proc, /dev, /sys");
  },
);

test.each(["link", "folder/environ"])("nor from there behind a link: %s", async (name) => {
  await expect(read({ from_file: at(name) })).rejects.toThrow("is in /proc, /dev, /sys");
});

test("no secret comes from the file of a token", async () => {
  await symlink("git-host-token", at("other-name"));
  for (const name of ["git-host-token", "other-name"])
    await expect(read({ from_file: at(name) })).rejects.toThrow("is infrasync's own");
});

test.each<[string, () => Fields]>([
  ["another variable", () => ({ from_env: "COPY_OF_THE_TOKEN" })],
  ["a file", () => ({ from_file: at("copy-of-the-token") })],
  ["a file with more in it", () => ({ from_file: at(".env") })],
  ["a command", () => ({ from_command: `echo ${token}` })],
  ["a command, of a token in a file", () => ({ from_command: `echo ${gitHostToken}` })],
])("no secret is a token in use, whatever it comes from: %s", async (_what, reference) => {
  await expect(read(reference())).rejects.toThrow("its value contains a token that infrasync itself uses");
});

test.each<[string, () => Fields]>([
  ["the environment variable SHOP_EMPTY is empty", () => ({ from_env: "SHOP_EMPTY" })],
  ["empty is empty", () => ({ from_file: at("empty") })],
  ["line is empty", () => ({ from_file: at("line") })],
  ["blank has spaces only", () => ({ from_file: at("blank") })],
  ["the output of the command is empty", () => ({ from_command: "echo" })],
  ["the output of the command is empty", () => ({ from_command: "true" })],
])("an empty value is refused, unless the document allows it: %s", async (message, reference) => {
  await expect(read(reference())).rejects.toThrow(message);
  expect((await read({ ...reference(), allow_empty: true })).trim()).toBe("");
});

test("a byte order mark does not belong to a value", async () => {
  expect(await read({ from_file: at("marked") })).toBe("value");
  expect(await read({ from_env: "MARKED" })).toBe("value");
});

test.each<[string, () => Fields]>([
  ["a file", () => ({ from_file: at("bytes") })],
  ["a command", () => ({ from_command: `cat ${at("bytes")}` })],
  ["a variable", () => ({ from_env: "BYTES" })],
])("bytes that are no UTF-8 are refused: %s", async (_what, reference) => {
  await expect(read(reference())).rejects.toThrow("is not a text in UTF-8");
});

test("a run with a list of variables reads no others", async () => {
  const variables = ["SHOP_*", "SMTP_PASSWORD"];
  expect(await read({ from_env: "SHOP_DB" }, { variables })).toBe("of the shop");
  await expect(read({ from_env: "COPY_OF_THE_TOKEN" }, { variables })).rejects.toThrow(
    "this run lets manifests read only SHOP_*, SMTP_PASSWORD",
  );
  await expect(read({ from_env: "SHOP_DB" }, { variables: [] })).rejects.toThrow(
    "this run lets manifests read none",
  );
  await expect(read({ from_env: "INFRASYNC_TOKEN" }, { variables: ["INFRASYNC_*"] })).rejects.toThrow(
    "is infrasync's own",
  );
});
