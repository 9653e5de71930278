import { describe, expect, test } from "vitest";
import { dump } from "../../../../core/import/live/index.ts";
import { costOf, parsePattern } from "../../../../core/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { lossesOf, titleOf } from "../../../../core/planning/plan/index.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { allow } from "../../../fixtures/policy.ts";

const shop = { kind: "Project", name: "shop" };
const staging = {
  kind: "Environment",
  project: "shop",
  name: "staging",
  mode: "STAGING",
  cluster: "eu-west",
};
const orders = {
  kind: "Database",
  environment: "shop/staging",
  name: "orders",
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
};
const before = { kind: "Backup", database: "shop/staging/orders", name: "before", message: "before 42" };
const all: Fields[] = [before, orders, staging, shop];

const harness = useHarness();

async function backups(database = "shop/staging/DATABASE orders"): Promise<string[]> {
  const id = await harness.idOf(database);
  return (await harness.results(`/database/${id}/backup`)).map(({ name }) => String(name));
}
const problemsOf = async (...args: Parameters<Harness["plan"]>) =>
  (await harness.plan(...args)).problems.map(({ code, message }) => `${code}: ${message}`);

test("a backup is made once, with its database, and the second plan is empty", async () => {
  await harness.reconcile(all);
  expect(await backups()).toEqual(["before"]);
  await harness.forgetRequests();
  expect(summary(await harness.plan(all))).toEqual([]);
  expect((await harness.seen()).filter(({ path }) => path.endsWith("/backup"))).toHaveLength(1);
  expect(await backups()).toEqual(["before"]);
});

test("a backup under another name is another one, and the first one stays, also in a run that prunes", async () => {
  await harness.reconcile(all);
  const later = { ...before, name: "later" };
  const pruned = [later, orders, { ...staging, manage: { prune: true } }, shop];
  expect(summary(await harness.reconcile(pruned, { prune: true }))).toEqual([
    "create backup:shop/staging/orders/later",
  ]);
  expect(await backups()).toEqual(["before", "later"]);
});

test("a backup is never made again", async () => {
  await harness.reconcile(all);
  expect(await problemsOf([{ ...before, message: "other" }, orders, staging, shop], allow("**"))).toEqual([
    "impossible: Backup shop/staging/orders/before: the API cannot change a backup, and a new backup would contain other data; give the new backup another name",
  ]);
});

test("a database is deleted with backups only where documents declare them", async () => {
  await harness.reconcile(all);
  expect(await problemsOf([orders], {}, "destroy")).toEqual([
    "loss: backup:shop/staging/orders/before would be deleted with database:shop/staging/orders, which cannot be restored",
  ]);
  const plan = await harness.plan([before, orders], {}, "destroy");
  expect(plan.problems).toEqual([]);
  expect(summary(plan)).toEqual([
    "delete backup:shop/staging/orders/before",
    "delete database:shop/staging/orders",
  ]);
  expect((await harness.apply(plan)).outcomes.map(({ status }) => status)).toEqual(["done", "done"]);
});

describe("no run deletes a database with backups because of anything but a word about the backups", () => {
  const refused =
    /^loss: backup:shop\/staging\/orders\/before would be deleted( with \S+)?, which cannot be restored$/;
  const prune = { prune: true };

  test("a prune leaves the database, says so, and prunes the rest", async () => {
    await harness.reconcile([...all, { ...orders, name: "cache" }]);
    const documents = [{ ...staging, manage: prune }, shop];
    const plan = await harness.plan(documents, prune);
    expect(plan.problems).toEqual([]);
    expect(summary(plan)).toEqual(["delete database:shop/staging/cache"]);
    expect(plan.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "protected: not pruned, because its contents cannot be restored: backup before",
    ]);
    await harness.apply(plan);
    expect(await backups()).toEqual(["before"]);
  });

  test.each<[string, Fields[], Parameters<Harness["plan"]>[1], "destroy"?]>([
    ["a replacement", [{ ...orders, mode: "MANAGED" }, staging, shop], { ...prune, ...allow("database:**") }],
    ["a destroy that may prune", [{ ...staging, manage: prune }], prune, "destroy"],
    ["a destroy of the database", [orders], prune, "destroy"],
  ])("%s is refused", async (_name, documents, policy, goal) => {
    await harness.reconcile(all);
    expect(await problemsOf(documents, policy, goal)).toEqual([expect.stringMatching(refused)]);
    expect(await problemsOf(documents, { ...policy, ...allow("**") }, goal)).toEqual([]);
  });
});

test("a backup is deleted by itself", async () => {
  await harness.reconcile(all);
  const plan = await harness.plan([before], {}, "destroy");
  expect((await harness.apply(plan)).outcomes.map(({ status }) => status)).toEqual(["done"]);
  expect(await backups()).toEqual([]);
});

test("the deletion of an environment lists the backups that go with it", async () => {
  await harness.reconcile(all);
  const plan = await harness.plan([staging], {}, "destroy");
  expect(plan.problems.map(({ message }) => message)).toEqual([
    "backup:shop/staging/orders/before would be deleted with environment:shop/staging, which cannot be restored",
    expect.stringMatching(/: it contains 1 resource that no document declares .*: orders$/),
  ]);
  const [deletion] = plan.actions;
  expect(deletion).toMatchObject({
    losses: expect.arrayContaining([expect.objectContaining({ what: "backup", name: "orders/before" })]),
  });
});

describe("a clone", () => {
  test("of the environment has the database without its backups, and takes those of its own", async () => {
    await harness.reconcile(all);
    const copy = { kind: "Environment", project: "shop", name: "copy", clone: { from: "shop/staging" } };
    const own = { ...before, database: "shop/copy/orders" };
    const ofCopy = { ...orders, environment: "shop/copy" };
    await harness.reconcile([...all, copy, ofCopy, own]);
    expect(await backups("shop/copy/DATABASE orders")).toEqual(["before"]);
    expect(summary(await harness.plan([...all, copy, ofCopy, own]))).toEqual([]);
  });

  test("of the database has none", async () => {
    await harness.reconcile(all);
    const second = {
      kind: "Database",
      environment: "shop/staging",
      name: "second",
      clone: { from: "shop/staging/orders" },
    };
    const own = { ...before, database: "shop/staging/second" };
    expect(summary(await harness.reconcile([...all, second, own]))).toEqual([
      expect.stringContaining("clone database:shop/staging/second"),
      "create backup:shop/staging/second/before",
    ]);
    expect(await backups("shop/staging/DATABASE second")).toEqual(["before"]);
  });
});

test("a replaced database gets its declared backups again, with a consent, and the plan lists those that go", async () => {
  await harness.reconcile(all);
  const moved = [before, { ...orders, type: "MYSQL", version: "8" }, staging, shop];
  const plan = await harness.plan(moved, { allowReplace: [parsePattern("**")] });
  expect(plan.problems).toEqual([]);
  const losses = lossesOf(plan.actions.filter(({ type }) => type === "replace"));
  expect(losses.map((caused) => [titleOf(caused), caused.loss.recreated, caused.loss.restorable])).toEqual([
    ["database:shop/staging/orders", true, true],
    ["backup:shop/staging/orders/before", true, false],
    ["the data of database:shop/staging/orders (10 GB)", false, false],
    ["backup:shop/staging/orders/before", true, false],
  ]);
  expect((await harness.apply(plan)).outcomes.every(({ status }) => status === "done")).toBe(true);
  expect(summary(await harness.plan(moved))).toEqual([]);
});

test("all parts of a long list are read", async () => {
  await harness.reconcile([orders, staging, shop]);
  const many = Array.from({ length: 45 }, (_each, index) => ({ ...before, name: `b${index}` }));
  await harness.reconcile([...many, orders, staging, shop]);
  await harness.forgetRequests();
  expect(summary(await harness.plan([...many, orders, staging, shop]))).toEqual([]);
  expect((await harness.seen()).filter(({ path }) => path.endsWith("/backup"))).toHaveLength(3);
});

test("an answer that does not arrive makes no second backup", async () => {
  await harness.reconcile([orders, staging, shop]);
  const path = `/database/${await harness.idOf("shop/staging/DATABASE orders")}/backup`;
  await harness.api("POST", "/_emulator/faults", [{ method: "POST", path, drop: "after", times: 1 }]);
  await harness.reconcile(all);
  expect(await backups()).toEqual(["before"]);
});

test("a dump has the backups of databases, one list for each database", async () => {
  await harness.reconcile(all);
  await harness.forgetRequests();
  const { documents } = await dump(harness.context(), harness.organization);
  expect((await harness.seen()).filter(({ path }) => path.endsWith("/backup")).length).toBe(1);
  const found = documents.find(({ kind }) => kind.name === "Backup");
  expect(found).toMatchObject({
    parent: "shop/staging/orders",
    name: "before",
    fields: { message: "before 42" },
  });
  const one = await dump(harness.context(), harness.organization, {
    kind: found?.kind as never,
    names: ["shop", "staging", "orders", "before"],
  });
  expect(one.documents).toMatchObject([{ name: "before" }]);
});

test.each<[string, Fields[], Parameters<typeof allow>]>([
  ["a database", [before, orders], []],
  ["an environment with a declared database", [orders, staging], ["**"]],
  ["an environment with a database that no document declares", [staging], ["**"]],
])("the estimate of the deletion of %s contains the lists of backups", async (_, documents, allowed) => {
  await harness.reconcile(all);
  const policy = { ...allow(...allowed), prune: true };
  const pruning = documents.map((each) =>
    each === staging ? { ...staging, manage: { prune: true } } : each,
  );
  const plan = await harness.plan(pruning, policy, "destroy");
  expect(plan.problems).toEqual([]);
  await harness.forgetRequests();
  await harness.apply(plan);
  const sent = await harness.seen();
  expect(sent.some(({ path }) => path.endsWith("/backup"))).toBe(true);
  expect(costOf(plan).applying).toBe(sent.length);
});
