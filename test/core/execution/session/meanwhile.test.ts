import { expect, test } from "vitest";
import type { Fields } from "../../../../core/values/json.ts";
import { costOf } from "../../../../core/planning/plan/index.ts";
import { change } from "../../../faults/by-hand.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { application, job, lifecycleJob, shop } from "../../../fixtures/manifests.ts";
import { allow } from "../../../fixtures/policy.ts";

// Between the moment when somebody sees a plan and the moment when it is carried out, others go on working.

const server = useHarness({ clock: "frozen" });

const database = `---
kind: Database
environment: shop/staging
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
`;

const idOf = async (type: string, name: string) =>
  String((await server.everything()).get(`shop/staging/${type} ${name}`)?.["id"]);

/** Somebody writes a variable or a secret of job a by hand. */
async function writeByHand(key: string, value: string, isSecret: boolean): Promise<string> {
  const body = {
    key,
    value,
    is_secret: isSecret,
    variable_scope: "JOB",
    variable_parent_id: await idOf("JOB", "a"),
  };
  return String(((await server.api("POST", "/variable", body)) as Fields)["id"]);
}

const failed = (message: RegExp) => ({
  outcomes: expect.arrayContaining([
    expect.objectContaining({ status: "failed", message: expect.stringMatching(message) }),
  ]),
});

test("a secret that somebody has made meanwhile is not overwritten by a variable of its key", async () => {
  await server.reconcile(shop + job("a"));
  const plan = await server.plan(shop + job("a", "variables: { LEVEL: info }"));
  const id = await writeByHand("LEVEL", "precious", true);
  await server.forgetRequests();
  const report = await server.apply(plan);
  expect(report).toMatchObject(
    failed(/has changed meanwhile: LEVEL is a secret now, and the variable would overwrite it/),
  );
  expect(await server.writes()).toEqual([]);
  expect(id).not.toBe("undefined");
});

test("a secret that has been written again, or is another one, is not removed", async () => {
  await server.reconcile(shop + job("a"));
  for (const again of [true, false]) {
    const first = await writeByHand("PASSWORD", "first", true);
    const plan = await server.plan(shop + job("a", "secrets: { PASSWORD: null }"));
    await server.advance(60_000);
    if (again) await server.api("PUT", `/variable/${first}`, { key: "PASSWORD", value: "second" });
    else {
      await server.api("DELETE", `/variable/${first}`);
      await writeByHand("PASSWORD", "second", true);
    }
    await server.forgetRequests();
    expect(await server.apply(plan)).toMatchObject(failed(/the secret PASSWORD has been written since/));
    expect(await server.writes()).toEqual([]);
    await server.apply(await server.plan(shop + job("a", "secrets: { PASSWORD: null }")));
  }
});

test("a database is not deleted if it has got a backup since the plan", async () => {
  const goals = [
    ["the database", () => server.plan(database, {}, "destroy")],
    ["its environment", () => server.plan(shop + database, {}, "destroy")],
  ] as const;
  for (const [, planned] of goals) {
    await server.reconcile(shop + database);
    const plan = await planned();
    const id = await idOf("DATABASE", "orders");
    await server.api("POST", `/database/${id}/backup`, { name: "before-the-move", message: "" });
    await server.forgetRequests();
    expect(await server.apply(plan)).toMatchObject(
      failed(/have appeared since the plan was made \(before-the-move\)/),
    );
    expect(await idOf("DATABASE", "orders")).toBe(id);
    await server.api("POST", "/_emulator/reset");
  }
});

/** Somebody makes a variable or a secret by hand. */
const madeByHand = (scope: string, path: string, body: Fields) =>
  server
    .idOf(path)
    .then((id) =>
      server.api("POST", "/variable", { ...body, variable_scope: scope, variable_parent_id: id }),
    );

test.each([
  ["a secret of a service", "JOB", "shop/staging/JOB a", "destroy"],
  ["a secret of an environment", "ENVIRONMENT", "shop/staging", "destroy"],
  ["a secret of a service inside an environment", "JOB", "shop/staging/JOB a", "above"],
] as const)("%s that has appeared since the plan is not deleted", async (_what, scope, path, how) => {
  await server.reconcile(shop + job("a"));
  const documents = how === "above" || path === "shop/staging" ? shop + job("a") : job("a");
  const plan = await server.plan(documents, {}, "destroy");
  await madeByHand(scope, path, { key: "PASSWORD", value: "precious", is_secret: true });
  await server.forgetRequests();
  expect(await server.apply(plan)).toMatchObject(
    failed(/the secret PASSWORD of \w+ \w+ would be lost, and appeared or changed since the plan was made/),
  );
  expect(await server.writes()).toEqual([]);
  await server.apply(await server.plan(documents, {}, "destroy"));
  expect((await server.everything()).has("shop/staging/JOB a")).toBe(false);
});

const stored = `---
kind: Application
environment: shop/staging
name: web
git_repository: { url: https://github.com/acme/web, branch: main }
storage: [{ type: FAST_SSD, size: 10, mount_point: /data }]
---
kind: Database
environment: shop/staging
name: orders
type: POSTGRESQL
version: "16"
mode: CONTAINER
storage: 20
`;

test.each([
  [
    "the volume /more (50 GiB) of application web",
    "shop/staging/APPLICATION web",
    {
      storage: [
        { type: "FAST_SSD", size: 10, mount_point: "/data" },
        { type: "FAST_SSD", size: 50, mount_point: "/more" },
      ],
    },
  ],
  ["the data (80 GB) of database orders", "shop/staging/DATABASE orders", { storage: 80 }],
])(
  "%s, inside an environment, is not deleted if it has come since the plan",
  async (what, path, declared) => {
    await server.reconcile(shop + stored);
    const plan = await server.plan(shop + stored, {}, "destroy");
    await change(server, (await server.everything()).get(path) ?? {}, declared);
    const { outcomes } = await server.apply(plan);
    const message = `${what} would be lost, and appeared or changed since the plan was made`;
    expect(outcomes.map((outcome) => outcome.message).join("\n")).toContain(message);
    expect((await server.everything()).has(path)).toBe(true);
    await server.apply(await server.plan(shop + stored, {}, "destroy"));
    expect((await server.everything()).has(path)).toBe(false);
  },
);

test("a domain that a service has got since the plan is not deleted with it", async () => {
  const app = `---
kind: Container
environment: shop/staging
name: web
image_name: shop/web
tag: "1"
registry: docker-hub
ports: [{ internal_port: 80, external_port: 443, publicly_accessible: true, protocol: HTTP }]
`;
  await server.reconcile(shop + app);
  const plan = await server.plan(app, {}, "destroy");
  const id = await server.idOf("shop/staging/CONTAINER web");
  await server.api("POST", `/container/${id}/customDomain`, {
    domain: "shop.example.com",
    generate_certificate: true,
  });
  await server.forgetRequests();
  expect(await server.apply(plan)).toMatchObject(
    failed(/the custom domain shop\.example\.com of container web would be lost/),
  );
  expect(await server.writes()).toEqual([]);
});

test("a database is not deleted if a service beside it has begun to use it since the plan", async () => {
  const uses = "variables: { HOST: { from: database:orders, output: host_internal } }";
  const replaced = database.replace("POSTGRESQL", "MYSQL").replace('"16"', '"8"');
  for (const [goal, text] of [
    ["destroy", database],
    ["reconcile", shop + replaced],
  ] as const) {
    await server.reconcile(shop + database + job("a") + job("b"));
    const plan = await server.plan(text, { ...allow("**") }, goal);
    await server.reconcile(shop + database + job("a", uses));
    const id = await idOf("DATABASE", "orders");
    expect(await server.apply(plan)).toMatchObject(
      failed(/the variable HOST of job a would be lost, and appeared or changed since/),
    );
    expect(await idOf("DATABASE", "orders")).toBe(id);
    // A plan that names it is carried out.
    await server.apply(await server.plan(text, { ...allow("**") }, goal));
    expect(await idOf("DATABASE", "orders")).not.toBe(id);
    await server.api("POST", "/_emulator/reset");
  }
});

test("before deletions, the variables of each remaining sibling service are read once more, one list a service", async () => {
  const second = database.replace("orders", "carts");
  const jobs = ["a", "b", "c"].map((name) => job(name)).join("");
  const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  await server.reconcile(pruned + database + second + jobs);
  const plan = await server.plan(pruned + jobs, { prune: true });
  await server.forgetRequests();
  await server.apply(plan);
  const seen = await server.seen();
  expect(seen.filter(({ method, path }) => method === "GET" && path === "/variable")).toHaveLength(3);
  expect(seen).toHaveLength(costOf(plan).applying);
});

test("a variable is not removed if an alias or an override of it has appeared below since the plan", async () => {
  for (const member of ["aliased_variable_id", "overridden_variable_id"] as const) {
    await server.reconcile(`${shop}variables: { LEVEL: info }\n${job("a")}`);
    const plan = await server.plan(`${shop}variables: { LEVEL: null }\n${job("a")}`);
    const variables = (await server.api(
      "GET",
      `/variable?parent_id=${await server.idOf("shop/staging")}&scope=ENVIRONMENT`,
    )) as { results: Fields[] };
    const level = variables.results.find(({ key }) => key === "LEVEL")?.["id"];
    const [key, path] = member === "aliased_variable_id" ? ["OTHER", "alias"] : ["LEVEL", "override"];
    await server.api("POST", `/variable/${level}/${path}`, {
      key,
      value: "debug",
      [`${path}_scope`]: "JOB",
      [`${path}_parent_id`]: await server.idOf("shop/staging/JOB a"),
    });
    await server.forgetRequests();
    expect(await server.apply(plan)).toMatchObject(
      failed(new RegExp(`the variable ${key} of job a would be lost, and appeared or changed`)),
    );
    expect(await server.writes()).toEqual([]);
    await server.api("POST", "/_emulator/reset");
  }
});

test("a variable is not removed if an alias of it has appeared in the same resource since the plan", async () => {
  await server.reconcile(`${shop}variables: { LEVEL: info }\n`);
  const plan = await server.plan(`${shop}variables: { LEVEL: null }\n`);
  const id = await server.idOf("shop/staging");
  const { results } = (await server.api("GET", `/variable?parent_id=${id}&scope=ENVIRONMENT`)) as {
    results: Fields[];
  };
  const level = results.find(({ key }) => key === "LEVEL")?.["id"];
  await server.api("POST", `/variable/${level}/alias`, {
    key: "OTHER",
    alias_scope: "ENVIRONMENT",
    alias_parent_id: id,
  });
  await server.forgetRequests();
  expect(await server.apply(plan)).toMatchObject(
    failed(/the variable OTHER of environment staging would be lost, and appeared/),
  );
  expect(await server.writes()).toEqual([]);
});

test("a variable is removed although an alias of it gets another target in the same update", async () => {
  const alias = (key: string) => `OTHER: { alias_of: ${key} }`;
  await server.reconcile(`${shop}variables: { LEVEL: info, MODE: fast, ${alias("LEVEL")} }\n`);
  const plan = await server.plan(`${shop}variables: { LEVEL: null, MODE: fast, ${alias("MODE")} }\n`);
  const report = await server.apply(plan);
  expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "done"]);
});

test("reading once more costs one list for each deleted service, environment or project with variables", async () => {
  await server.reconcile(shop + job("a") + job("b"));
  const plan = await server.plan(shop + job("a") + job("b"), {}, "destroy");
  await server.forgetRequests();
  await server.apply(plan);
  const lists = (await server.seen()).filter(({ method, path }) => method === "GET" && path === "/variable");
  expect(lists).toHaveLength(4);
});

test.each(["project", "environment"])(
  "the estimate counts what is read before a variable of a %s is removed",
  async (place) => {
    const documents = (variables: string) => {
      const [project = "", environment = ""] = shop.split("---");
      const [outer, inner] = place === "project" ? [variables, ""] : ["", variables];
      return `${project.trimEnd()}\n${outer}\n---${environment.trimEnd()}\n${inner}\n${job("a")}${job("b")}`;
    };
    await server.reconcile(documents("variables: { LEVEL: info }"));
    const plan = await server.plan(documents("variables: { LEVEL: null }"));
    await server.forgetRequests();
    await server.apply(plan);
    expect((await server.seen()).length).toBe(costOf(plan).applying);
  },
);

test("a value that becomes a file keeps the alias of its variable", async () => {
  const documents = (variables: string) => `${shop.trimEnd()}\nvariables: ${variables}\n`;
  await server.reconcile(documents("{ LEVEL: info, ALIAS: { alias_of: LEVEL } }"));
  const file = "{ LEVEL: { file: { mount_path: /etc/level, text: info }, interpolate: true } }";
  const plan = await server.plan(documents(file));
  expect(plan.actions.flatMap(({ losses }) => losses)).toEqual([]);
  expect((await server.apply(plan)).outcomes.map(({ status }) => status)).not.toContain("failed");
  const after = await server.plan(documents("{ ALIAS: { alias_of: LEVEL } }"));
  expect(after.actions.filter(({ type }) => type !== "none")).toEqual([]);
});

test("the estimate of a deletion counts the list of a resource beside it that is replaced", async () => {
  const pruned = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  await server.reconcile(pruned + job("a") + application("web"));
  const plan = await server.plan(pruned + lifecycleJob("a"), { prune: true, ...allow("**") });
  await server.forgetRequests();
  await server.apply(plan);
  expect((await server.seen()).length).toBeLessThanOrEqual(costOf(plan).applying);
});
