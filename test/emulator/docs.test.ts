import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createEmulator } from "../../emulator/index.ts";
import type { Seed } from "../../emulator/index.ts";
import { routes } from "../../emulator/routes.ts";
import { operationsTable } from "../../tools/docs/emulator-reference.ts";
import { Client } from "../fixtures/client.ts";

const text = readFileSync("docs/reference/emulator.md", "utf8");

test("the table of operations matches the routes", () => {
  expect(text).toContain(operationsTable());
});

test("the emulator starts with the seed of the documentation", async () => {
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  const emulator = await createEmulator({ seed: parse(yaml) as Seed });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, "my-admin-token");
  const [environment] = await client.list(`/organization/${emulator.organization.id}/environments`);
  expect(await client.list(`/environment/${environment?.id}/services`)).toMatchObject([{ name: "nightly" }]);
});

test("the emulator serves every operation of the API description, and no other", () => {
  const described = readFileSync("test/fixtures/operations.txt", "utf8").trimEnd().split("\n");
  const served = routes.map((route) => `${route.method} ${route.path} ${route.status}`);
  expect(served.toSorted()).toEqual(described);
  expect(text.replaceAll(/\s+/g, " ")).toContain(`It serves all ${served.length} operations`);
});
