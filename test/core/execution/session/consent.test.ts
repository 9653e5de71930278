import { describe, expect, test } from "vitest";
import { encodePlan, formatAddress, parsePattern } from "../../../../core/index.ts";
import {
  type Action,
  lossesOf,
  type Plan,
  type Policy,
  titleOf,
} from "../../../../core/planning/plan/index.ts";
import { isFields } from "../../../../core/values/json.ts";
import { allow } from "../../../fixtures/policy.ts";
import { application, database, job, shop } from "../../../fixtures/manifests.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const patterns = (...texts: string[]) => texts.map((text) => parsePattern(text));
const messages = ({ problems }: Plan) => problems.map(({ message }) => message);
const pruning = (text: string) => text.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");

/** `shop` under another name, which the live environment does not have. */
const renamed = (manage = "") =>
  shop.replace("name: staging", `name: p2\nmanage: { renamed_from: staging${manage} }`);

describe("a deletion includes only contents with consent", () => {
  test("a targeted project does not delete its declared environments", async () => {
    await harness.reconcile(shop + job("a"));
    await harness.api("POST", `/environment/${await harness.idOf("shop/staging")}/database`, database);
    const plan = await harness.plan(
      shop + job("a"),
      {
        targets: patterns("project:shop"),
        protect: patterns("shop/staging/**"),
        caps: { count: 1, percent: 100 },
      },
      "destroy",
    );
    expect(messages(plan)).toEqual([
      'environment:shop/staging cannot be deleted: it is protected by the pattern "shop/staging/**", as are job:shop/staging/a, database:shop/staging/db, and would be deleted with project:shop',
      "Project shop: it contains 2 resources that this plan leaves out although documents declare them, and that would be deleted with it: staging, a",
      "Project shop: it contains 1 resource that no document declares and that would be deleted with it: db",
      "4 resources would be deleted or replaced, and the limit is 1",
    ]);
    expect(encodePlan(plan).actions).toMatchObject([
      {
        address: "project:shop",
        losses: [
          { what: "environment", name: "staging" },
          { what: "job", name: "staging/a" },
          { what: "database", name: "staging/db" },
          { what: "data", of: "staging/db", words: "the data of staging/db (10 GB)" },
        ],
      },
    ]);
    expect(plan.actions[0]).toHaveProperty(
      "contentIds",
      expect.arrayContaining([await harness.idOf("shop/staging/JOB a")]),
    );
  });

  test("a targeted environment does not delete a protected job", async () => {
    const text = shop + job("a", "manage: { protect: true }");
    await harness.reconcile(text);
    const plan = await harness.plan(text, { targets: patterns("environment:shop/staging") }, "destroy");
    expect(messages(plan)).toEqual([
      "job:shop/staging/a cannot be deleted: it is protected by manage.protect of job:shop/staging/a, and would be deleted with environment:shop/staging",
      "Environment shop/staging: it contains 1 resource that this plan leaves out although documents declare them, and that would be deleted with it: a",
    ]);
  });

  test("--prune does not consent to the deletion of managed resources that no target selects", async () => {
    const text = pruning(shop) + job("a");
    await harness.reconcile(text);
    const policy = { prune: true, targets: patterns("environment:shop/staging") };
    expect(messages(await harness.plan(text, policy, "destroy"))).toEqual([
      "Environment shop/staging: it contains 1 resource that this plan leaves out although documents declare them, and that would be deleted with it: a",
    ]);
  });

  test("the plan lists the variables of all deleted resources, at every level", async () => {
    await harness.reconcile(pruning(shop) + job("a") + job("b"));
    for (const [name, scope] of [
      ["a", "JOB"],
      ["b", "JOB"],
    ] as const)
      await harness.api("POST", "/variable", {
        key: `KEY_${name}`,
        value: "x",
        is_secret: false,
        variable_scope: scope,
        variable_parent_id: await harness.idOf(`shop/staging/JOB ${name}`),
      });
    const plan = await harness.plan(pruning(shop) + job("a"), { prune: true }, "destroy");
    expect(messages(plan)).toEqual([]);
    expect(encodePlan(plan).actions.map((action) => "losses" in action && action.losses)).toMatchObject([
      [{ what: "variable", name: "KEY_a" }],
      [
        { what: "job", name: "b", address: "job:shop/staging/b" },
        { what: "variable", name: "KEY_b", of: "b" },
      ],
      [],
    ]);
  });

  test("a second resource with the same name does not count as declared", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const id = await harness.idOf("shop/staging/JOB b");
    const text = shop + job("c", `manage: { id: "${id}", renamed_from: a }`);
    // The document would describe `a` if it had no id.
    expect(messages(await harness.plan(text, {}, "destroy"))).toEqual([
      "Environment shop/staging: it contains 1 resource that no document declares and that would be deleted with it: a",
    ]);
  });

  test("two documents cannot describe the same resource", async () => {
    await harness.reconcile(shop + job("a"));
    const id = await harness.idOf("shop/staging/JOB a");
    const text = shop + job("a") + job("b", `manage: { id: "${id}" }`);
    for (const goal of ["reconcile", "destroy"] as const)
      expect(messages(await harness.plan(text, {}, goal))).toEqual([
        "Job shop/staging/a: the name belongs to the Job whose id is in the document of Job shop/staging/b",
      ]);
  });

  test("a target does not change which resource a document means", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const id = await harness.idOf("shop/staging/JOB a");
    const text = shop + job("a", "manage: { renamed_from: b }") + job("c", `manage: { id: "${id}" }`);
    const policy = { targets: [parsePattern("job:shop/staging/a")] };
    expect(messages(await harness.plan(text, policy, "destroy"))).toEqual([
      "Job shop/staging/a: the name belongs to the Job whose id is in the document of Job shop/staging/c",
    ]);
  });
});

describe("an update lists, counts and protects what the server deletes with what it removes", () => {
  const inside = shop.replace(
    "cluster: eu-west",
    "cluster: eu-west\nvariables: { LEVEL: { value: debug, overrides: true } }",
  );
  const full = inside.replace("name: shop\n", "name: shop\nvariables: { LEVEL: info, OTHER: x }\n");
  const jobs =
    job("a", "variables: { SHORT: { alias_of: LEVEL }, SAME: { alias_of: OTHER }, OWN: y }") + job("b");
  const less = "kind: Project\nname: shop\nvariables: { LEVEL: null }\nsecrets: { KEY: null }\n";
  const keysIn = async (path: string, scope: string) =>
    (await harness.results(`/variable?parent_id=${await harness.idOf(path)}&scope=${scope}`))
      .filter((entry) => entry["scope"] === scope)
      .map(({ key }) => String(key))
      .toSorted();

  test("aliases and overrides of a removed variable, in environments and services inside", async () => {
    await harness.reconcile(full);
    await harness.reconcile(full + jobs);
    const secret = await harness.api("POST", "/variable", {
      key: "KEY",
      value: "hidden",
      is_secret: true,
      variable_scope: "PROJECT",
      variable_parent_id: await harness.idOf("shop"),
    });
    await harness.api("POST", `/variable/${isFields(secret) ? String(secret["id"]) : ""}/override`, {
      value: "hidden too",
      override_scope: "JOB",
      override_parent_id: await harness.idOf("shop/staging/JOB b"),
    });
    const plan = await harness.plan(less);
    const { actions } = encodePlan(plan);
    expect(actions).toMatchObject([
      {
        type: "update",
        losses: [
          { what: "secret", name: "KEY", owner: { address: "project:shop" } },
          { what: "variable", name: "LEVEL", owner: { address: "project:shop" } },
          { what: "variable", name: "LEVEL", of: "staging", owner: { address: "environment:shop/staging" } },
          { what: "variable", name: "SHORT", of: "staging/a", owner: { address: "job:shop/staging/a" } },
          { what: "secret", name: "KEY", of: "staging/b", owner: { address: "job:shop/staging/b" } },
        ],
      },
    ]);
    expect(messages(await harness.plan(less, { caps: { count: 4, percent: 100 } }))).toEqual([
      "5 secrets and variables would be deleted or replaced, and the limit is 4",
    ]);
    expect(messages(await harness.plan(less, { protect: patterns("job:**/b") }))).toEqual([
      'the secret KEY of job:shop/staging/b cannot be deleted: job:shop/staging/b is protected by the pattern "job:**/b", and would be deleted with what project:shop loses',
    ]);
    await harness.apply(plan);
    expect(await keysIn("shop/staging", "ENVIRONMENT")).toEqual([]);
    expect(await keysIn("shop/staging/JOB a", "JOB")).toEqual(["OWN", "SAME"]);
    expect(await keysIn("shop/staging/JOB b", "JOB")).toEqual([]);
  });

  test("the data of storage", async () => {
    const app = (mount: string) =>
      application("api", `storage: [{ mount_point: ${mount}, size: 1, type: FAST_SSD }]`);
    await harness.reconcile(shop + app("/data"));
    const moved = shop + app("/srv");
    const plan = await harness.plan(moved);
    expect(encodePlan(plan).actions.at(-1)).toMatchObject({
      losses: [{ what: "volume", name: "/data", owner: { address: "application:shop/staging/api" } }],
    });
    expect(plan.problems).toMatchObject([
      {
        code: "loss",
        message: "application:shop/staging/api would lose the volume /data (1 GiB), which cannot be restored",
        remedies: [{ consent: "replace", address: "application:shop/staging/api" }],
      },
    ]);
    const consent = allow("application:shop/staging/api");
    expect(messages(await harness.plan(moved, consent))).toEqual([]);
    const none = { count: 0, percent: 100 };
    expect(messages(await harness.plan(moved, { ...consent, caps: none }))).toEqual([
      "1 volume would be deleted or replaced, and the limit is 0",
    ]);
    expect(messages(await harness.plan(moved, { ...consent, protect: patterns("shop/staging/*") }))).toEqual([
      'the volume /data of application:shop/staging/api (1 GiB) cannot be deleted: application:shop/staging/api is protected by the pattern "shop/staging/*"',
    ]);
  });
});

describe("a rename keeps the protection", () => {
  const cases: [name: string, policy: Partial<Policy>, text: (id: string) => string][] = [
    ["prune of a renamed environment", { prune: true }, () => renamed(", prune: true")],
    ["destroy of a renamed environment", {}, () => renamed() + job("a", "", "shop/p2")],
    [
      "destroy of a job by its id",
      { targets: patterns("job:**") },
      (id) => shop + job("harmless", `manage: { id: "${id}" }`),
    ],
    [
      "destroy of a job of a renamed environment by its id",
      { targets: patterns("job:**") },
      (id) => renamed() + job("harmless", `manage: { id: "${id}" }`, "shop/p2"),
    ],
  ];

  test.each(cases)("%s", async (name, policy, text) => {
    await harness.reconcile(shop + job("a"));
    const id = await harness.idOf("shop/staging/JOB a");
    for (const pattern of ["shop/staging/a", "job:shop/staging/*", "shop/staging/**"]) {
      const goal = name.startsWith("prune") ? "reconcile" : "destroy";
      const plan = await harness.plan(text(id), { ...policy, protect: patterns(pattern) }, goal);
      const spared = plan.notes.some(({ code }) => code === "protected");
      const refused = messages(plan).some((message) =>
        message.includes(`protected by the pattern "${pattern}"`),
      );
      expect({ pattern, held: goal === "reconcile" ? spared : refused }).toEqual({ pattern, held: true });
    }
  });

  test("a mix of old and new names is matched against the patterns too", async () => {
    await harness.reconcile(shop + job("a"));
    const text = renamed() + job("b", "manage: { renamed_from: a }", "shop/p2");
    for (const pattern of ["shop/staging/a", "shop/staging/b", "shop/p2/a", "shop/p2/b"]) {
      const plan = await harness.plan(text, { protect: patterns(pattern) }, "destroy");
      expect(messages(plan)).toEqual([
        `job:shop/p2/b (now job:shop/staging/a) cannot be deleted: it is protected by the pattern "${pattern}"`,
      ]);
    }
  });

  test("a protected job is not replaced under another name", async () => {
    await harness.reconcile(shop + job("a"));
    const text =
      shop + job("b", "manage: { renamed_from: a }").replace(/schedule: .*/, "schedule: { on_start: {} }");
    const plan = await harness.plan(text, { ...allow("**"), protect: patterns("job:shop/staging/a") });
    expect(messages(plan)).toEqual([
      'job:shop/staging/b (now job:shop/staging/a) cannot be replaced: it is protected by the pattern "job:shop/staging/a"',
    ]);
  });

  test("a plan shows the old and the new name", async () => {
    await harness.reconcile(shop + job("a"));
    const text = renamed() + job("b", "manage: { renamed_from: a }", "shop/p2");
    const plan = await harness.plan(text, {}, "destroy");
    expect(encodePlan(plan).actions).toMatchObject([
      { address: "job:shop/p2/b", live_address: "job:shop/staging/a" },
      { address: "environment:shop/p2", live_address: "environment:shop/staging" },
      { address: "project:shop" },
    ]);
    expect(plan.actions[2]?.liveAddress).toBeUndefined();
    const report = await harness.apply(plan);
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done", "done"]);
  });
});

describe("a replacement recreates all contents that the plan promises", () => {
  const moved = (text: string) => text.replace("eu-west", "us-east");

  test("also when no target selects them", async () => {
    await harness.reconcile(shop + job("a") + job("b"));
    const plan = await harness
      .reconcile(moved(shop) + job("a") + job("new"), {
        ...allow("environment:shop/staging"),
        prune: true,
        targets: patterns("environment:shop/staging"),
      })
      .catch((error: unknown) => String(error));
    expect(plan).toContain(
      "it contains 1 resource that no document declares and that would be deleted with it: b",
    );
    await harness.reconcile(moved(pruning(shop)) + job("a") + job("new"), {
      ...allow("environment:shop/staging"),
      prune: true,
      targets: patterns("environment:shop/staging"),
    });
    expect([...(await harness.everything()).keys()]).toEqual(["shop", "shop/staging", "shop/staging/JOB a"]);
  });

  test("each loss that the plan promises to recreate has an action in the plan", async () => {
    await harness.reconcile(shop + job("a"));
    const plan = await harness.plan(moved(shop) + job("a"), { targets: patterns("environment:**") });
    expect(summary(plan).map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
      "replace environment:shop/staging",
      "replace job:shop/staging/a",
    ]);
    expect(plan.actions[1]).toMatchObject({ losses: [{ name: "a", recreated: true }] });
  });
});

test("contents that appear after the plan stop a deletion at any depth", async () => {
  await harness.reconcile(shop + job("a"));
  const plan = await harness.plan(shop + job("a"), {}, "destroy");
  const deep = plan.actions.find(({ address }) => formatAddress(address) === "project:shop");
  if (deep?.type !== "delete") throw new Error("no deletion");
  await harness.api("POST", `/environment/${await harness.idOf("shop/staging")}/database`, database);
  // Without the actions that stop before it.
  (plan.actions as Action[]).splice(0, plan.actions.length, { ...deep, after: [] });
  const report = await harness.apply(plan);
  expect(report.outcomes).toMatchObject([
    {
      code: "changed",
      message: expect.stringContaining("contains resources that have appeared since the plan was made (db)"),
    },
  ]);
  expect([...(await harness.everything()).keys()]).toContain("shop/staging/DATABASE db");
});

test("the percentage of an environment includes contents that are deleted with the project", async () => {
  const jobs = Array.from({ length: 10 }, (_, index) => job(`j${index}`)).join("");
  await harness.reconcile(shop + jobs);
  const caps = { count: 1000, percent: 30 };
  expect(messages(await harness.plan(shop + jobs, { caps }, "destroy"))).toEqual([
    "10 of the 10 resources in environment:shop/staging would be deleted or replaced, more than 30 %",
  ]);
  const targets = patterns("project:shop");
  expect(messages(await harness.plan(shop + jobs, { caps, targets }, "destroy"))).toContain(
    "10 of the 10 resources in environment:shop/staging would be deleted or replaced, more than 30 %",
  );
});

test("an alias that the document of its service removes or writes again is no second loss of the database", async () => {
  const staging = shop.replace("cluster: eu-west", "cluster: eu-west\nmanage: { prune: true }");
  const orders = (type: string) =>
    `\n---\nkind: Database\nenvironment: shop/staging\nname: orders\ntype: ${type}\nversion: "16"\nmode: CONTAINER\n`;
  const host = "variables: { HOST: { from: database:orders, output: host_internal } }";
  await harness.reconcile(staging + orders("POSTGRESQL") + job("a", host));
  const lost = async (documents: string) =>
    lossesOf((await harness.plan(documents, { prune: true, ...allow("**") })).actions).map(titleOf);
  const gone = ["database:shop/staging/orders", "the data of database:shop/staging/orders (10 GB)"];
  expect(await lost(staging + job("a", "variables: { HOST: null }"))).toEqual([
    "the variable HOST of job:shop/staging/a",
    ...gone,
  ]);
  expect(await lost(staging + orders("MYSQL") + job("a", host))).toEqual(gone);
});

test("a database that is deleted or replaced takes the aliases of its variables in what stays with it", async () => {
  const withUser =
    "variables: { HOST: { from: database:orders, output: host_internal }, OWN: { alias_of: LEVEL } }";
  const orders = (rest = "") =>
    `\n---\nkind: Database\nenvironment: shop/staging\nname: orders\ntype: POSTGRESQL\nversion: "16"\nmode: CONTAINER\n${rest}`;
  const level = shop.replace("cluster: eu-west", "cluster: eu-west\nvariables: { LEVEL: info }");
  await harness.reconcile(level + orders());
  await harness.reconcile(level + orders() + job("a", withUser) + job("b"));
  const policy = { targets: patterns("database:**"), ...allow("**") };
  const plans: [text: string, goal: "destroy" | "reconcile"][] = [
    [orders(), "destroy"],
    [orders("type: MYSQL\n").replace("type: POSTGRESQL\n", ""), "reconcile"],
  ];
  for (const [text, goal] of plans) {
    const plan = await harness.plan(shop + text, policy, goal);
    expect(lossesOf(plan.actions).map(titleOf)).toContain("the variable HOST of job:shop/staging/a");
    expect(lossesOf(plan.actions).map(titleOf)).not.toContain("the variable OWN of job:shop/staging/a");
    expect(messages(plan)).toEqual([]);
    const guarded = { ...policy, protect: patterns("job:**/a"), caps: { count: 1, percent: 100 } };
    expect(messages(await harness.plan(shop + text, guarded, goal))).toEqual([
      'the variable HOST of job:shop/staging/a cannot be deleted: job:shop/staging/a is protected by the pattern "job:**/a", and would be deleted with database:shop/staging/orders',
      "2 resources and variables would be deleted or replaced, and the limit is 1",
    ]);
  }
});
