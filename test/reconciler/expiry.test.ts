import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { startBench } from "./fixture.ts";

const preview = `---
kind: Environment
project: shop
name: preview
mode: PREVIEW
clone: { from: shop/staging, expires_after: 3d }
`;

const policyFile = "infra/infrasync.reconcile.yaml";
const files = { "infra/shop.yaml": shop + preview, "infra/a.yaml": job("a", "cpu: 500") };

const day = 86_400_000;

test("a reconciler that prunes deletes a preview at its end, leaves drift as it is, and does not make it again", async () => {
  const bench = await startBench({ prune: true });
  const { repository, server } = bench;
  repository.push(files);
  expect((await bench.cycle()).end).toMatchObject({ type: "applied" });
  await server.advance(2 * day);
  expect((await bench.cycle()).end).toMatchObject({ type: "in_step" });

  await server.reconcile(shop + job("a", "cpu: 750"));
  await server.advance(2 * day);
  const { end, requests } = await bench.cycle();
  expect(end).toMatchObject({
    type: "applied",
    report: { outcomes: [{ type: "delete", status: "done" }] },
  });
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual(["DELETE /environment/{id}"]);
  expect(await server.everything()).not.toContain("shop/preview");

  const next = await bench.cycle();
  expect(next.end).toMatchObject({ type: "drift" });
  expect(next.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("a reconciler that does not prune, or a policy without it, deletes no preview", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push(files);
  await bench.cycle();
  await server.advance(4 * day);
  expect((await bench.cycle()).end).toMatchObject({ type: "in_step" });

  const pruning = await startBench({ prune: true });
  pruning.repository.push({
    ...files,
    [policyFile]: "environments: { shop/preview: { prune: false } }",
  });
  expect((await pruning.cycle()).end).toMatchObject({ type: "applied" });
  await pruning.server.advance(4 * day);
  expect((await pruning.cycle()).end).toMatchObject({ type: "in_step" });
});
