import { expect, test } from "vitest";
import { Harness } from "../../../fixtures/harness.ts";
import { cronJob, shop } from "../../../fixtures/manifests.ts";

test("a variable that hides one that the platform sets is noted", async () => {
  await using server = await Harness.start();
  const own = (entries: string) => shop + cronJob("migrate", `variables: { ${entries} }`);
  await server.reconcile(own("LEVEL: info, QOVERY_PROJECT_NAME: mine"));
  const plan = await server.plan(own("LEVEL: info, QOVERY_PROJECT_NAME: mine"));
  expect(plan.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "shadowed: the variable QOVERY_PROJECT_NAME hides the variable of the platform with this name",
  ]);
  const removed = await server.plan(own("LEVEL: info, QOVERY_PROJECT_NAME: null"));
  expect(removed.notes).toEqual([]);
});

const orders = `---
kind: Database
environment: shop/staging
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
`;

test("a new service and a clone that hide what the platform sets are noted, without a request for it", async () => {
  await using server = await Harness.start();
  const inside = shop + orders + cronJob("first", "variables: { LEVEL: info }\n");
  await server.reconcile(inside);
  const id = await server.idOf("shop/staging/DATABASE orders");
  const key = `QOVERY_POSTGRESQL_Z${id.slice(0, 8).toUpperCase()}_HOST_INTERNAL`;
  const noted = async (documents: string) => {
    await server.forgetRequests();
    const { notes } = await server.plan(documents);
    return {
      keys: notes.filter(({ code }) => code === "shadowed").map(({ message }) => message.split(" ")[2]),
      requests: (await server.seen()).length,
    };
  };
  // The first plan that reads so long a list finds out how the server pages lists.
  await noted(inside + cronJob("second", "variables: { HOST: mine }"));
  const without = await noted(inside + cronJob("second", "variables: { HOST: mine }"));
  const withKey = await noted(inside + cronJob("second", `variables: { ${key}: mine }`));
  expect(without.keys).toEqual([]);
  expect(withKey).toEqual({ keys: [key], requests: without.requests });
  const above = `${shop}variables: { LEVEL: info }\n`;
  expect(
    (await noted(above + cronJob("second", "variables: { QOVERY_ENVIRONMENT_NAME: mine }"))).keys,
  ).toEqual(["QOVERY_ENVIRONMENT_NAME"]);
  const copy = cronJob("copy", `variables: { ${key}: mine }\nclone: { from: shop/staging/first }`);
  expect((await noted(inside + copy)).keys).toEqual([key]);
});
