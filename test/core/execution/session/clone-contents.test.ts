import { expect, test } from "vitest";
import { environment, job, shop } from "../../../fixtures/documents.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

test("a clone of an environment says which variables and secrets come with it", async () => {
  await harness.reconcile([
    ...shop,
    environment("shop/production", { variables: { STAGE: "production" } }),
    job("shop/production/migrate"),
  ]);
  await harness.api("POST", "/variable", {
    key: "TOKEN",
    value: "hidden",
    is_secret: true,
    variable_scope: "ENVIRONMENT",
    variable_parent_id: await harness.idOf("shop/production"),
  });
  const plan = await harness.plan([environment("shop/copy", { clone: { from: "shop/production" } })]);
  expect(plan.actions.map((action) => action.type === "clone" && action.carries)).toEqual([
    [
      { sort: "secret", keys: ["TOKEN"], isReadable: false },
      { sort: "variable", keys: ["STAGE"], isReadable: true },
    ],
  ]);
});
