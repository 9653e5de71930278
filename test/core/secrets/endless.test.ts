import { execFileSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { type SecretLimits, SecretReader } from "../../../core/secrets/index.ts";
import { removeFolder } from "../../fixtures/remove-folder.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infrasync-endless-secrets-"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
});
afterAll(() => removeFolder(folder));

const reader = (limits: SecretLimits) => new SecretReader({ environment: {}, allowCommands: true }, limits);

const sources = (): Fields[] => [
  { from_file: join(folder, "pipe") },
  { from_command: "sleep 600" },
  { from_command: "trap '' TERM INT; while true; do sleep 1; done" },
];

test.each([0, 1, 2])("an interruption ends the read of a source that never ends: %i", async (index) => {
  const interruption = new AbortController();
  setTimeout(() => interruption.abort(), 200);
  const reading = reader({ signal: interruption.signal }).read(sources()[index] ?? {});
  await expect(reading).rejects.toThrow("the run was interrupted while its value was read");
});

test.each([
  [0, `pipe has not ended within 0.2 s`],
  [1, "the command has not ended within 0.2 s"],
  [2, "the command has not ended within 0.2 s"],
])("the read of a source that never ends is given up after its time: %i", async (index, message) => {
  await expect(reader({ timeout: 200 }).read(sources()[index] ?? {})).rejects.toThrow(message);
});

test("the value of a pipe is what its writer has written", async () => {
  const reading = reader({}).read({ from_file: join(folder, "pipe") });
  await writeFile(join(folder, "pipe"), "written late\n");
  expect(await reading).toBe("written late");
});

test("a file that is too large is named", async () => {
  await writeFile(join(folder, "large"), "x".repeat((1 << 20) + 1));
  await expect(reader({}).read({ from_file: join(folder, "large") })).rejects.toThrow(
    "large has more than 1048576 bytes",
  );
});
