import { describe, expect, test } from "vitest";
import { application, database, job, shop } from "../../../fixtures/manifests.ts";
import { allow } from "../../../fixtures/policy.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const mayContainMore =
  "Environment shop/staging: the server lists services by type, so services of other types may be in staging, and would be deleted with it";

const harness = useHarness();

describe("a server without the shared list of services", () => {
  const shared = { path: "/environment/*/services", status: 404 };

  test("is asked for the list of each kind", async () => {
    await harness.reconcile(shop + job("a") + application("api"));
    await harness.api("POST", `/environment/${await harness.idOf("shop/staging")}/database`, database);
    await harness.api("POST", "/_emulator/faults", [shared]);
    expect(summary(await harness.plan(shop + job("a", "cpu: 750") + application("api")))).toEqual([
      "update job:shop/staging/a: cpu 500 -> 750",
    ]);
    const { problems } = await harness.plan(shop + job("a") + application("api"), {}, "destroy");
    expect(problems.map(({ message }) => message)).toEqual([
      "Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: db",
      mayContainMore,
    ]);
  });

  test("deletes or replaces an environment only with consent, because services of other types may be in it", async () => {
    const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
    await harness.reconcile(pruned + job("a") + job("b"));
    await harness.api("POST", "/_emulator/faults", [shared]);
    const messages = async (...given: Parameters<Harness["plan"]>) =>
      (await harness.plan(...given)).problems.map(({ message }) => message);
    const moved = shop.replace("eu-west", "us-east") + job("a") + job("b");
    expect(await messages(shop + job("a") + job("b"), {}, "destroy")).toEqual([mayContainMore]);
    expect(await messages(moved, allow("**"))).toEqual([mayContainMore]);
    expect(await messages(pruned + job("a") + job("b"), { prune: true }, "destroy")).toEqual([]);
    // A service contains nothing, and what stays loses nothing.
    expect(await messages(job("a"), {}, "destroy")).toEqual([]);
    expect(await messages(pruned + job("a"), { prune: true })).toEqual([]);
  });

  test.each(["application", "terraform"])(
    "a server that refuses the list of %s too is an error, not an empty environment",
    async (type) => {
      await harness.reconcile(shop + job("a"));
      await harness.api("POST", "/_emulator/faults", [
        shared,
        { path: `/environment/*/${type}`, status: 404 },
      ]);
      for (const goal of ["reconcile", "destroy"] as const)
        await expect(harness.plan(shop + job("a"), {}, goal)).rejects.toThrow(
          /GET .*: 404, although the Environment exists, so its contents are unknown/,
        );
    },
  );

  test("an environment that has disappeared is created again", async () => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", "/_emulator/faults", [
      shared,
      { method: "GET", path: "/environment/*", status: 404 },
    ]);
    expect(summary(await harness.plan(shop + job("a")))).toEqual([
      "create environment:shop/staging",
      "create job:shop/staging/a",
    ]);
  });

  test.each([401, 403, 500])("a %i is an error, and no resource looks deleted", async (status) => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", "/_emulator/faults", [{ ...shared, status }]);
    await expect(harness.plan(shop + job("a"))).rejects.toMatchObject({ status });
  });
});

test("a list of services that has something without a type is an error: it is the answer to another request", async () => {
  await harness.reconcile(shop + job("a"));
  const body = JSON.stringify({
    results: [{ id: "1", name: "acme" }],
    pagination: { page: 1, page_size: 10_000, total_count: 1, total_pages: 1 },
  });
  await harness.api("POST", "/_emulator/faults", [{ path: "/environment/*/services", status: 200, body }]);
  await expect(harness.plan(shop + job("a"), {}, "destroy")).rejects.toThrow(
    /the server lists something without a service_type, which is not a service/,
  );
});
