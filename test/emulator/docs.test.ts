import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createEmulator } from "../../emulator/index.ts";
import type { Seed } from "../../emulator/index.ts";
import { routes } from "../../emulator/routes.ts";
import { operationsTable } from "../../tools/emulator-operations.ts";
import { Client } from "../fixtures/client.ts";

const text = readFileSync("docs/emulator.md", "utf8");

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

/** The folder of the API descriptions, when it lies beside the checkout. */
const folders = ["../shared/api"].filter((path) => existsSync(path));

/** The operations of an API description, each with its first success status. */
function operationsOf(path: string): string[] {
  const { paths } = parse(readFileSync(path, "utf8"), { maxAliasCount: -1 }) as {
    paths: Record<string, Record<string, { responses: object }>>;
  };
  return Object.entries(paths).flatMap(([route, operations]) =>
    Object.entries(operations).map(
      ([method, { responses }]) => `${method.toUpperCase()} ${route} ${Object.keys(responses)[0]}`,
    ),
  );
}

test.for(folders)("the emulator serves every operation of both descriptions, and no other", (folder) => {
  const described = ["facts.yaml", "facts-organization.yaml"].flatMap((file) =>
    operationsOf(`${folder}/${file}`),
  );
  const served = routes.map((route) => `${route.method} ${route.path} ${route.status}`);
  expect(served.toSorted()).toEqual([...new Set(described)].toSorted());
  expect(text.replaceAll(/\s+/g, " ")).toContain(`It serves all ${served.length} operations`);
});
