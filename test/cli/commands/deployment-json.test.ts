import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { beforeEach, expect, test } from "vitest";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { documentOf } from "../captured.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture({ behaviour: { deploy_delay_ms: 30 } });

beforeEach(() => fixture.write("shop.yaml", shop + job("migrate") + application("api")));

/** The document of a command, which has to match a published schema and has no member besides. */
async function valid(name: string, exit: number, ...args: string[]): Promise<Record<string, unknown>> {
  const ran = await fixture.run([...args, "--output", "json"]);
  const schema = JSON.parse(readFileSync(`schemas/${name}.schema.json`, "utf8")) as {
    properties: Record<string, unknown>;
  };
  const validate = new Ajv({ strict: true, strictRequired: false, allErrors: true }).compile(schema);
  const document = documentOf(ran);
  validate(document);
  expect(validate.errors ?? [], JSON.stringify(document)).toEqual([]);
  expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(document)));
  expect(ran.code).toBe(exit);
  return document;
}

test("validate --output json matches the published schema, with and without mistakes", async () => {
  expect(await valid("validation", 0, "validate", fixture.folder)).toMatchObject({ documents: 4, files: 1 });
  await fixture.write("wrong.yaml", "kind: Job\nname: a\ncolour: red\n");
  expect(await valid("error", 3, "validate", fixture.folder)).toMatchObject({
    ok: false,
    problems: [{ code: "invalid" }, { code: "invalid" }],
  });
});

test("status, deploy, logs and stop with --output json match the published schemas", async () => {
  await fixture.run(["apply", fixture.folder, "--yes"]);
  expect(await valid("status", 0, "status")).toMatchObject({
    environments: [{ address: "environment:shop/staging", services: [{}, {}] }],
  });
  expect(await valid("deployment", 0, "deploy", "shop/staging", "--dry-run")).toMatchObject({ ok: true });
  expect(await valid("deployment", 0, "deploy", "job:shop/staging/migrate", "--wait")).toMatchObject({
    environments: [{ status: "done" }],
    deployed: [{ services: [{ state: "DEPLOYED", version: "1", urls: [] }] }],
  });
  await valid("status", 0, "status", "job:shop/staging/migrate");
  await valid("logs", 0, "logs", "shop/staging/api");
  await valid("deployment", 0, "stop", "shop/staging/api", "--yes");
});

test("a deployment that the server refuses matches the published schema", async () => {
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.fault({ method: "POST", path: "/environment/*/service/deploy", status: 422 });
  const document = await valid("deployment", 1, "deploy", "job:shop/staging/migrate");
  expect(document).toMatchObject({ ok: false, environments: [{ status: "refused" }] });
});
