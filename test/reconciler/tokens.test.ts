import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { startBench } from "./fixture.ts";

test("a token that may only read suffices for drift checks, and another one applies", async () => {
  const bench = await startBench({}, "read", {}, {}, "admin");
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop, "infra/a.yaml": job("a", "cpu: 500") });
  expect((await bench.cycle()).end.type).toBe("applied");
  await server.reconcile(shop + job("a", "cpu: 750"));
  expect((await bench.cycle()).end).toMatchObject({
    type: "drift",
    changes: [{ fields: ["cpu 500 -> 750"] }],
  });
});

test("without another token, one that may only read applies nothing", async () => {
  const bench = await startBench({}, "read");
  bench.repository.push({ "infra/shop.yaml": shop });
  expect((await bench.cycle()).end).toMatchObject({
    type: "incomplete",
    outcomes: [{ status: "failed" }, expect.anything()],
  });
});
