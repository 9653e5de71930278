import { expect, test } from "vitest";
import { useFixture } from "../fixture.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

const fixture = useFixture({ behaviour: { forbidden_for_missing: true } });

test("on a server that responds 403 for missing resources, destroy recognises the resources that it deleted", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  expect(await fixture.run(["apply", fixture.folder, "--yes"])).toMatchObject({ code: 0 });
  const { code, stdout } = await fixture.run(["destroy", fixture.folder, "--yes"]);
  expect(stdout).toContain("Done: 3 deleted.");
  expect(code).toBe(0);
});

test("a 403 before the first deletion is an error", async () => {
  await fixture.write("shop.yaml", shop + cronJob("nightly-report"));
  await fixture.run(["apply", fixture.folder, "--yes"]);
  await fixture.fault({ method: "DELETE", status: 403 });
  const { code, stdout } = await fixture.run(["destroy", fixture.folder, "--yes"]);
  expect(code).toBe(1);
  expect(stdout).toContain("403 on DELETE");
});
