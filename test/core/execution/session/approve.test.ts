import { expect, test } from "vitest";
import { approve, execute, parsePattern } from "../../../../core/index.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { job, shop } from "../../../fixtures/manifests.ts";

const server = useHarness();

const terms = { confirm: () => Promise.resolve(true), onQuota: "fail" as const };

test("a plan with problems is not approved, whoever asks", async () => {
  await server.reconcile(shop + job("a"));
  const plan = await server.plan(shop + job("a"), { protect: [parsePattern("job:**")] }, "destroy");
  await server.forgetRequests();
  const approval = await approve({ plan }, server.context(), terms);
  expect(approval).toMatchObject({
    type: "refused",
    code: "not_approved",
    problems: [{ code: "protected" }],
  });
  // A destruction is no change of a document that could be undone.
  expect(plan.problems.map(({ advice }) => advice)).toEqual([undefined]);
  await expect(server.apply(plan)).rejects.toThrow("it is protected by the pattern");
  expect(await server.writes()).toEqual([]);
});

test("approve asks for each action whether its cause permits it, and whether the source owns what is pruned", async () => {
  const prunable = shop.replaceAll("mode:", "manage: { prune: true }\nmode:");
  await server.reconcile(prunable + job("a") + job("b"));
  const owned = new Set<string>([await server.idOf("shop/staging/JOB b")]);
  const inventory = { has: (id: string) => owned.has(id), isCopy: () => false, hasEntry: () => false };
  const plan = await server.plan(prunable + job("a", "cpu: 750"), { prune: true, inventory });
  expect(plan.actions.map(({ type }) => type).filter((type) => type !== "none")).toEqual([
    "update",
    "delete",
  ]);
  await server.forgetRequests();
  const permits = ({ type }: { type: string }) => (type === "update" ? "it is drift" : undefined);
  expect(await approve({ plan }, server.context(), { ...terms, permits })).toMatchObject({
    type: "refused",
    problems: [{ code: "cause", message: "job:shop/staging/a: it is drift" }],
  });
  // Meanwhile it has turned out to be somebody else's.
  owned.clear();
  expect(await approve({ plan }, server.context(), terms)).toMatchObject({
    type: "refused",
    problems: [{ code: "owner", address: "job:shop/staging/b", blocks: "apply" }],
  });
  expect(await server.writes()).toEqual([]);
});

test("only a plan that approve has made is carried out", async () => {
  const plan = await server.plan(shop);
  await server.forgetRequests();
  const forged = { plan } as unknown as Parameters<typeof execute>[0];
  await expect(execute(forged, server.context(), { parallelism: 1 })).rejects.toThrow(
    "only a plan that approve has made can be carried out",
  );
  // @ts-expect-error a plan that nobody has approved
  await expect(execute(plan, server.context(), { parallelism: 1 })).rejects.toThrow(TypeError);
  expect(await server.writes()).toEqual([]);
});

test("an approved plan is carried out once", async () => {
  const run = server.context();
  const approval = await approve({ plan: await server.plan(shop) }, run, terms);
  if (approval.type !== "approved") throw new Error(approval.type);
  expect((await execute(approval.approved, run, { parallelism: 1 })).outcomes).toHaveLength(2);
  await expect(execute(approval.approved, run, { parallelism: 1 })).rejects.toThrow("only once");
});
