import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { cronJob, shop } from "../fixtures/manifests.ts";
import { useFixture } from "../cli/fixture.ts";

const fixture = useFixture();

test("the example of a policy accepts a creation, and refuses a deletion in production", async () => {
  const file = new URL("../../examples/policies/production.schema.json", import.meta.url);
  const allows = new Ajv().compile(JSON.parse(await readFile(file, "utf8")) as object);
  const production = shop.replace("name: staging", "name: production").replace("mode: STAGING", "mode: PRODUCTION");
  await fixture.write("shop.yaml", production + cronJob("nightly", "", "shop/production"));
  const plan = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await fixture.run(["plan", fixture.folder, "--output", "json", ...args])).stdout);
  expect(allows(await plan())).toBe(true);
  await fixture.run(["apply", fixture.folder, "--yes"]);
  expect(allows(await plan("--destroy"))).toBe(false);
});
