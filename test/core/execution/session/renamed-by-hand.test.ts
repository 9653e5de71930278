import { beforeEach, describe, expect, test } from "vitest";
import { parsePattern } from "../../../../core/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { mayBeRenamed } from "../../../../core/model/addresses/names.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const environment = (more: Fields = {}): Fields => ({
  kind: "Environment",
  project: "shop",
  name: "production",
  mode: "PRODUCTION",
  cluster: "eu-west",
  ...more,
});
const database = (more: Fields = {}): Fields => ({
  kind: "Database",
  environment: "shop/production",
  name: "orders",
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
  storage: 20,
  ...more,
});
const documents: Fields[] = [
  { kind: "Project", name: "shop", description: "the shop" },
  environment({ manage: { prune: true } }),
  database(),
];
const managed = (manage: Fields) => [...documents.slice(0, 2), database({ manage })];

/** A person gives the database another name in the web console. */
async function rename(name: string, more: Fields = {}): Promise<void> {
  const path = `/database/${await harness.idOf("shop/production/DATABASE orders")}`;
  const live = (await harness.api("GET", path)) as Fields;
  await harness.api("PUT", path, { ...live, name, ...more });
}

const problemsOf = (plan: Awaited<ReturnType<Harness["plan"]>>) =>
  plan.problems.map(({ code, address }) => `${code} ${address}`);
const requested = ["perhaps_renamed database:shop/production/orders"];

describe("a database that a person has renamed", () => {
  beforeEach(() => harness.reconcile(documents));

  test.each(["orders-main", "acme_orders", "order", "ord", "ORDERS (old)"])(
    "to %s is neither created again nor pruned: the plan asks",
    async (name) => {
      await rename(name);
      const plan = await harness.plan(documents, { prune: true });
      expect(problemsOf(plan)).toEqual(requested);
      expect(summary(plan)).toEqual([]);
      expect(plan.problems[0]?.message).toContain(`"${name}"`);
    },
  );

  test("costs no request to be found", async () => {
    const cost = async () => {
      await harness.forgetRequests();
      await harness.plan(documents);
      return (await harness.seen()).length;
    };
    const before = await cost();
    await rename("orders-main");
    expect(await cost()).toBe(before);
  });

  test("is not pruned by a run whose targets leave its document out", async () => {
    await rename("orders-main");
    const targets = [parsePattern("database:shop/production/orders-main")];
    const plan = await harness.plan(documents, { prune: true, targets });
    expect(problemsOf(plan)).toEqual(expect.arrayContaining(requested));
    expect(summary(plan)).toEqual([]);
  });

  test("gets its name back with renamed_from, and is taken as it is with its id", async () => {
    await rename("orders-main");
    expect(summary(await harness.plan(managed({ renamed_from: "orders-main" }), { prune: true }))).toEqual([
      'update database:shop/production/orders: name "orders-main" -> "orders"',
    ]);
    const id = await harness.idOf("shop/production/DATABASE orders-main");
    const named = [...documents.slice(0, 2), database({ name: "orders-main", manage: { id } })];
    expect(summary(await harness.plan(named, { prune: true }))).toEqual([]);
  });

  test("makes room for a new one only if the document names the one that is not meant", async () => {
    await rename("orders-main");
    const other = await harness.plan(managed({ beside: ["orders-old"] }));
    expect(problemsOf(other)).toEqual(requested);
    await harness.reconcile(managed({ beside: ["orders-main"] }));
    expect([...(await harness.everything()).keys()]).toEqual(
      expect.arrayContaining(["shop/production/DATABASE orders", "shop/production/DATABASE orders-main"]),
    );
  });

  test("is known by its id to a run that remembers it, whatever became of name and fields", async () => {
    const id = await harness.idOf("shop/production/DATABASE orders");
    await rename("till", { storage: 50 });
    const plan = await harness.plan(documents, { prune: true, knownId: () => id });
    expect(problemsOf(plan)).toEqual(requested);
    expect(summary(plan)).toEqual([]);
  });

  test("is asked about also if the same commit changes its fields", async () => {
    await rename("orders-main");
    const changed = [...documents.slice(0, 2), database({ storage: 30 })];
    const plan = await harness.plan(changed, { prune: true });
    expect(problemsOf(plan)).toEqual(requested);
    expect(plan.problems[0]?.message).toContain("which holds data and has a similar name");
    expect(summary(plan)).toEqual([]);
  });

  test("is no question where the name is another one, or what never changes", async () => {
    await rename("till");
    expect(problemsOf(await harness.plan(documents))).toEqual([]);
    await harness.api("POST", "/_emulator/reset");
    await harness.reconcile(documents);
    await rename("orders-main");
    const other = [...documents.slice(0, 2), database({ type: "MYSQL", version: "8" })];
    expect(problemsOf(await harness.plan(other))).toEqual([]);
  });
});

describe("an unmanaged resource with data, in a run that would delete it and create another one", () => {
  const inside = "shop/production";
  const service = (name: string, more: Fields = {}): Fields => ({
    kind: "Container",
    environment: inside,
    name,
    image_name: "acme/store",
    tag: "1",
    registry: "docker-hub",
    ...more,
  });
  const storage = [{ mount_point: "/data", size: 10, type: "FAST_SSD" }];
  const all = documents.slice(0, 2);
  const till = [...all, database({ name: "till" })];
  const plans = (desired: Fields[]) => harness.plan(desired, { prune: true });

  test("may be the renamed one, whatever its name: neither is touched", async () => {
    await harness.reconcile(documents);
    for (const more of [{}, { storage: 30, version: "17" }] as Fields[]) {
      const plan = await plans([...all, database({ name: "till", ...more })]);
      expect(problemsOf(plan)).toEqual(["perhaps_renamed database:shop/production/till"]);
      expect(plan.problems[0]).toMatchObject({
        message: expect.stringContaining('"orders" ('),
        remedies: expect.arrayContaining([{ declare: "renamed", name: "orders" }]),
      });
      expect(summary(plan)).toEqual([]);
    }
    await rename("zebra");
    expect(problemsOf(await plans(documents))).toEqual(requested);
    expect(problemsOf(await harness.plan(till))).toEqual([]);
  });

  test("is replaced if the document says that a new one is meant", async () => {
    await harness.reconcile(documents);
    const meant = [...all, database({ name: "till", manage: { beside: ["orders"] } })];
    expect(summary(await plans(meant))).toEqual([
      "create database:shop/production/till",
      "delete database:shop/production/orders",
    ]);
  });

  test("is no question where a protection keeps it anyway", async () => {
    await harness.reconcile(documents);
    const protect = [parsePattern("database:shop/production/orders")];
    expect(summary(await harness.plan(till, { prune: true, protect }))).toEqual([
      "create database:shop/production/till",
    ]);
  });

  test("raises no question beside a document with another type, version, mode or kind", async () => {
    await harness.reconcile(documents);
    for (const more of [{ type: "MYSQL", version: "8" }, { mode: "MANAGED" }] as Fields[]) {
      const plan = await plans([...all, database({ name: "till", ...more })]);
      expect(problemsOf(plan)).toEqual([]);
    }
    expect(problemsOf(await plans([...all, service("till", { storage })]))).toEqual([]);
  });

  test("may be a service with volumes too, if all that its document declares is the same", async () => {
    await harness.reconcile([...all, service("orders", { storage })]);
    const question = ["perhaps_renamed container:shop/production/till"];
    expect(problemsOf(await plans([...all, service("till", { storage })]))).toEqual(question);
    for (const more of [{ storage, image_name: "acme/other" }, {}] as Fields[])
      expect(problemsOf(await plans([...all, service("till", more)]))).toEqual([]);
    await harness.reconcile([...all, service("orders", { storage: [] })], {
      allowReplace: [parsePattern("**")],
    });
    expect(problemsOf(await plans([...all, service("till", { storage })]))).toEqual([]);
  });
});

test("an environment that a person has renamed is not cloned a second time", async () => {
  await harness.reconcile(documents);
  const copy = environment({ name: "staging", mode: "STAGING", clone: { from: "shop/production" } });
  await harness.reconcile([copy]);
  const id = await harness.idOf("shop/staging");
  await harness.api("PUT", `/environment/${id}`, { name: "staging-2", mode: "STAGING" });
  expect(problemsOf(await harness.plan([copy]))).toEqual(["perhaps_renamed environment:shop/staging"]);
});

test("a project that a person has renamed is not made a second time, with all that is in it", async () => {
  const plain = [{ kind: "Project", name: "shop" }, environment()];
  await harness.reconcile(plain);
  const path = `/project/${await harness.idOf("shop")}`;
  await harness.api("PUT", path, { name: "shop-eu" });
  expect(problemsOf(await harness.plan(plain))).toContain("perhaps_renamed project:shop");
  const other = { ...plain[0], manage: { beside: ["shop-eu"] } };
  expect(problemsOf(await harness.plan([other, environment()]))).toEqual([]);
});

test("a clone may be named like its source", async () => {
  await harness.reconcile(documents);
  const copy = environment({ name: "production-copy", clone: { from: "shop/production" } });
  expect(problemsOf(await harness.plan([copy]))).toEqual([]);
});

test("a resource that another document declares is not a candidate", async () => {
  await harness.reconcile(documents);
  expect(problemsOf(await harness.plan([...documents, database({ name: "orders-main" })]))).toEqual([]);
});

test.each([
  ["orders", "orders-main", true],
  ["orders", "acme-orders", true],
  ["orders", "orders2", true],
  ["orders-service-database", "orders-service-d", true],
  ["Nightly Report", "z12-nightly-report", true],
  ["db", "db-main", true],
  ["orders", "orders", false],
  ["pr-1", "pr-10", false],
  ["pr-21", "pr-2", false],
  ["db", "dbx", false],
  ["orders", "ord", true],
  ["orders", "till", false],
])("%s may be %s: %s", (desired, live, expected) => {
  expect(mayBeRenamed(desired, live)).toBe(expected);
});

describe("a document that declares nothing beside a resource with a name like it", () => {
  const plain = { kind: "Project", name: "shop2" };
  const inside = { kind: "Environment", project: "shop2", name: "production", cluster: "eu-west" };

  test("is a new resource", async () => {
    await harness.reconcile([{ kind: "Project", name: "shop" }]);
    expect(summary(await harness.plan([plain]))).toEqual(["create project:shop2"]);
    expect(summary(await harness.plan([{ ...plain, description: "" }]))).toEqual(["create project:shop2"]);
  });

  test("may mean the resource that contains what documents declare in it", async () => {
    await harness.reconcile([{ kind: "Project", name: "shop" }, environment()]);
    expect(problemsOf(await harness.plan([plain, inside]))).toContain("perhaps_renamed project:shop2");
    const other = { ...inside, name: "staging" };
    expect(problemsOf(await harness.plan([plain, other]))).toEqual([]);
  });

  test("means the resource that an earlier run knew", async () => {
    await harness.reconcile([{ kind: "Project", name: "shop" }]);
    const id = await harness.idOf("shop");
    const plan = await harness.plan([plain], { knownId: () => id });
    expect(problemsOf(plan)).toEqual(["perhaps_renamed project:shop2"]);
  });
});
