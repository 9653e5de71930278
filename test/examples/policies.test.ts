import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { cronJob, shop } from "../fixtures/manifests.ts";
import { findTool } from "../fixtures/tools.ts";
import { useFixture } from "../cli/fixture.ts";

const fixture = useFixture();

const policies = fileURLToPath(new URL("../../examples/policies/", import.meta.url));
const conftest = findTool("conftest");

async function withSchema(plan: string): Promise<boolean> {
  const schema = JSON.parse(await readFile(join(policies, "production.schema.json"), "utf8")) as object;
  return new Ajv().compile(schema)(JSON.parse(plan));
}

/** As on the page: conftest test plan.json --policy production.rego */
async function withConftest(plan: string): Promise<boolean> {
  const file = await fixture.write("plan.json", plan);
  const policy = join(policies, "production.rego");
  const { status, stdout } = spawnSync(conftest ?? "", ["test", file, "--policy", policy], {
    encoding: "utf8",
  });
  expect([stdout.includes("not without a second look: delete job:shop/production/nightly"), status]).toEqual(
    status === 0 ? [false, 0] : [true, 1],
  );
  return status === 0;
}

test.each([
  { language: "a JSON Schema", allows: withSchema },
  ...(conftest ? [{ language: "Rego", allows: withConftest }] : []),
])("the example of a policy in $language accepts a creation, and refuses a deletion in production", async ({ allows }) => {
  const production = shop.replace("name: staging", "name: production").replace("mode: STAGING", "mode: PRODUCTION");
  await fixture.write("shop.yaml", production + cronJob("nightly", "", "shop/production"));
  const plan = async (...args: string[]): Promise<string> =>
    (await fixture.run(["plan", join(fixture.folder, "shop.yaml"), "--output", "json", ...args])).stdout;
  expect(await allows(await plan())).toBe(true);
  await fixture.run(["apply", join(fixture.folder, "shop.yaml"), "--yes"]);
  expect(await allows(await plan("--destroy"))).toBe(false);
});
