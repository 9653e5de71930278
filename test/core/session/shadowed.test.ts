import { expect, test } from "vitest";
import { Harness } from "../../fixtures/harness.ts";
import { cronJob, shop } from "../../fixtures/manifests.ts";

test("a variable that hides one that the platform sets is noted", async () => {
  await using server = await Harness.start();
  const own = (entries: string) => shop + cronJob("migrate", `variables: { ${entries} }`);
  await server.reconcile(own("LEVEL: info, QOVERY_PROJECT_NAME: mine"));
  const plan = await server.plan(own("LEVEL: info, QOVERY_PROJECT_NAME: mine"));
  expect(plan.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "shadowed: the variable QOVERY_PROJECT_NAME hides the one that the platform sets under this name",
  ]);
  const removed = await server.plan(own("LEVEL: info, QOVERY_PROJECT_NAME: null"));
  expect(removed.notes).toEqual([]);
});
