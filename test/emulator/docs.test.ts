import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { createEmulator } from "../../emulator/index.ts";
import type { Seed } from "../../emulator/index.ts";
import { routes } from "../../emulator/routes.ts";
import { unserved } from "../../emulator/unserved-operations.ts";
import { readOperations } from "../conformance/shapes.ts";
import { Client } from "../fixtures/client.ts";
import { startWorld, unknownId } from "./start-world.ts";

const text = readFileSync("docs/reference/emulator.md", "utf8");

test("the emulator starts with the seed of the documentation", async () => {
  const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(text) ?? [];
  const emulator = await createEmulator({ seed: parse(yaml) as Seed });
  onTestFinished(() => emulator.close());
  const client = new Client(emulator.url, "my-admin-token");
  const [environment] = await client.list(`/organization/${emulator.organization.id}/environments`);
  expect(await client.list(`/environment/${environment?.id}/services`)).toMatchObject([{ name: "nightly" }]);
});

test("the emulator serves every operation of the API description; each other one is served or answered with 501", () => {
  const declared = readOperations().map(
    ({ method, path, responses }) => `${method} ${path} ${[...responses.keys()].join()}`,
  );
  const served = routes.map((route) => `${route.method} ${route.path} ${route.status}`);
  expect(declared.filter((operation) => !served.includes(operation))).toEqual([]);
  const known = [...routes, ...unserved].map(
    ({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`,
  );
  expect(new Set(known).size).toBe(known.length);
  const page = text.replaceAll(/\s+/g, " ");
  expect(page).toContain(
    `It serves ${served.length} operations: all ${declared.length} of the API description`,
  );
  expect(page).toContain(`the ${unserved.length} that are not served`);
});

test("an operation that only the console needs is answered with 501 and its name", async () => {
  const { client } = await startWorld();
  for (const { method, path, name } of unserved) {
    const address = path.replaceAll(/\{\w+\}/g, unknownId);
    const { status, message } = await client.fails(method, address, method === "GET" ? undefined : {});
    expect([name, status]).toEqual([name, 501]);
    expect(message).toContain(`does not serve ${name}: it `);
  }
});
