import { expect, test } from "vitest";
import { cronJob, lifecycleJob, shop } from "../../fixtures/manifests.ts";
import { useFixture } from "../fixture.ts";

const fixture = useFixture();

test("dump writes the file from which Pulumi imports an environment, and changes nothing", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report") + lifecycleJob("migrate"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  const { code, stdout } = await fixture.run(["dump", "shop/staging", "--format", "pulumi-import"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    resources: [
      { type: "infrasync:index:Environment", name: "staging", id: "shop/staging" },
      { type: "infrasync:index:Job", name: "nightly-report", id: "shop/staging/nightly-report" },
      { type: "infrasync:index:Job", name: "migrate", id: "shop/staging/migrate" },
    ],
  });
  const both = await fixture.run(["dump", "--format", "pulumi-import", "--out", "a.yaml"]);
  expect(both.code).toBe(3);
  expect(both.stderr).toContain("--out");
});
