import { adviceOf } from "../../../../cli/render/remedies.ts";
import { describe, expect, test } from "vitest";
import { dump } from "../../../../core/import/live/index.ts";
import { type Address, parseAddress } from "../../../../core/index.ts";
import { formatManifest } from "../../../../core/manifests/manifest/index.ts";
import { type Fields, isFields } from "../../../../core/values/json.ts";
import { environment, job, shop } from "../../../fixtures/documents.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { allow } from "../../../fixtures/policy.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const database = (name: string, more: Fields = {}): Fields => ({
  kind: "Database",
  environment: "shop/staging",
  name,
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
  ...more,
});
const of = (name: string, output: string): Fields => ({ from: `database:${name}`, output });
const connected = {
  DATABASE_HOST: of("orders", "host_internal"),
  DATABASE_PORT: of("orders", "port"),
  DATABASE_USER: of("orders", "login"),
  DATABASE_NAME: of("orders", "database_name"),
};
const worker = job("shop/staging/worker", {
  variables: { LEVEL: "info", ...connected },
  secrets: { DATABASE_PASSWORD: of("orders", "password"), DATABASE_URL: of("orders", "url_internal") },
});
// The service comes before its database.
const all = [...shop, worker, database("orders")];

function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address`);
  return address;
}

/** Applies, and expects the next plan to be empty. */
async function converge(documents: readonly Fields[], policy = {}): Promise<string[]> {
  const plan = await harness.reconcile(documents, policy);
  expect(summary(await harness.plan(documents, policy))).toEqual([]);
  return summary(plan);
}

/** Of the own aliases of a service: of which resource and what each is, as `DATABASE_HOST: POSTGRESQL orders HOST_INTERNAL`. */
async function aliasesOf(path: string): Promise<string[]> {
  const everything = await harness.everything();
  const service = everything.get(path) ?? {};
  const nameOf = (short: string) =>
    [...everything].find(([, { id }]) => String(id).startsWith(short.toLowerCase()))?.[0] ?? "nothing";
  const scope = String(service["service_type"]);
  const listed = await harness.results(`/variable?parent_id=${String(service["id"])}&scope=${scope}`);
  return listed
    .filter((each) => each["scope"] === scope)
    .flatMap(({ key, aliased_variable: target }) => {
      const [, short = "", variable] =
        /_Z([0-9A-F]{8})_(.*)$/.exec(isFields(target) ? String(target["key"]) : "") ?? [];
      return short === "" ? [] : [`${String(key)}: ${nameOf(short)} ${variable}`];
    })
    .toSorted();
}

const aliases = (place: string) =>
  [
    `DATABASE_HOST: shop/${place} HOST_INTERNAL`,
    `DATABASE_NAME: shop/${place} DEFAULT_DATABASE_NAME`,
    `DATABASE_PASSWORD: shop/${place} PASSWORD`,
    `DATABASE_PORT: shop/${place} PORT`,
    `DATABASE_URL: shop/${place} DATABASE_URL_INTERNAL`,
    `DATABASE_USER: shop/${place} LOGIN`,
  ] as const;

test("a service gets what the platform says of the database that the same run creates", async () => {
  expect(await converge(all)).toEqual([
    "create project:shop",
    "create environment:shop/staging",
    "create database:shop/staging/orders",
    "create job:shop/staging/worker",
  ]);
  expect(await aliasesOf("shop/staging/JOB worker")).toEqual(aliases("staging/DATABASE orders"));
});

test("an existing service is connected with another database, and back", async () => {
  await converge([...shop, database("orders"), job("shop/staging/worker")]);
  expect(await converge(all)).toEqual([
    expect.stringContaining(
      'variables.DATABASE_HOST - -> {"from":"database:orders","output":"host_internal"}',
    ),
  ]);
  const other = job("shop/staging/worker", {
    variables: { DATABASE_HOST: of("customers", "host_internal") },
  });
  await converge([...shop, database("orders"), database("customers"), other]);
  expect(await aliasesOf("shop/staging/JOB worker")).toContain(
    "DATABASE_HOST: shop/staging/DATABASE customers HOST_INTERNAL",
  );
});

test("a database that is renamed stays the one that the service uses", async () => {
  await converge(all);
  const renamed = database("sales", { manage: { renamed_from: "orders" } });
  const same = job("shop/staging/worker", { variables: { DATABASE_HOST: of("SALES", "host_internal") } });
  expect(await converge([...shop, same, renamed])).toEqual([
    'update database:shop/staging/sales: name "orders" -> "sales"',
  ]);
});

test("a database that is replaced is connected again", async () => {
  await converge(all);
  const replaced = [...shop, worker, database("orders", { type: "MYSQL", version: "8" })];
  const policy = allow("database:shop/staging/orders");
  await harness.reconcile(replaced, policy);
  expect(summary(await harness.plan(replaced, policy))).toEqual([]);
  expect(await aliasesOf("shop/staging/JOB worker")).toEqual(aliases("staging/DATABASE orders"));
});

describe("a clone of the environment", () => {
  const copy = environment("shop/copy", { clone: { from: "shop/staging" }, mode: "PREVIEW" });
  const inside = { ...worker, environment: "shop/copy" };

  test.each([
    ["of a live one", [all, [...all, copy, inside]]],
    ["in the run that makes its source", [[...all, copy, inside]]],
  ])("uses its own database: %s", async (_, runs) => {
    for (const documents of runs) await converge(documents);
    expect(await aliasesOf("shop/copy/JOB worker")).toEqual(aliases("copy/DATABASE orders"));
  });
});

test("a dump names the sibling and the output, and plans as no change", async () => {
  await converge(all);
  const reader = harness.context();
  const { documents } = await dump(reader, harness.organization);
  const { fields } = documents.find(({ name }) => name === "worker") ?? {};
  expect(fields?.["variables"]).toEqual({
    LEVEL: "info",
    ...connected,
    DATABASE_PASSWORD: of("orders", "password"),
    DATABASE_URL: of("orders", "url_internal"),
  });
});

test("outputs of services are known too", async () => {
  const api: Fields = {
    kind: "Application",
    environment: "shop/staging",
    name: "api",
    git_repository: { url: "https://github.com/acme/api", branch: "main" },
    ports: [{ internal_port: 8080, publicly_accessible: true }],
  };
  const caller = job("shop/staging/worker", {
    variables: {
      API: { from: "application:api", output: "host_internal" },
      WEB: { from: "application:api", output: "host_external" },
    },
  });
  await converge([...shop, caller, api]);
  expect(await aliasesOf("shop/staging/JOB worker")).toEqual([
    "API: shop/staging/APPLICATION api HOST_INTERNAL",
    "WEB: shop/staging/APPLICATION api HOST_EXTERNAL",
  ]);
});

/** What the platform says of a resource, as a service beside it sees it. */
async function valuesOf(user: string, about: string): Promise<Map<string, string>> {
  const [id, source] = [await harness.idOf(user), await harness.idOf(about)];
  const listed = await harness.results(`/variable?parent_id=${id}&scope=JOB`);
  return new Map(
    listed.flatMap(({ key, value }): [string, string][] => {
      const [, tail] = String(key).split(`_Z${source.slice(0, 8).toUpperCase()}_`);
      return tail === undefined || typeof value !== "string" ? [] : [[tail, value]];
    }),
  );
}

test("a value that is an output of a sibling is dumped as that output: the plan is empty, and a copy elsewhere has its own", async () => {
  await converge([...shop, database("orders"), database("customers"), job("shop/staging/worker")]);
  const known = await valuesOf("shop/staging/JOB worker", "shop/staging/DATABASE orders");
  const plain = {
    DATABASE_HOST: known.get("HOST_INTERNAL") ?? "",
    HOST_OUTSIDE: known.get("HOST") ?? "",
    LEVEL: "info",
    // Both databases have this one, and a key that says nothing of it.
    DATABASE_PORT: known.get("PORT") ?? "",
    NUMBER: known.get("PORT") ?? "",
  };
  await converge([
    ...shop,
    database("orders"),
    database("customers"),
    job("shop/staging/worker", { variables: plain }),
  ]);
  const { documents } = await dump(harness.context(), harness.organization, addressOf("project:shop"));
  const dumped = documents.find(({ kind }) => kind.name === "Job")?.fields["variables"];
  expect(dumped).toEqual({
    DATABASE_HOST: of("orders", "host_internal"),
    HOST_OUTSIDE: of("orders", "host"),
    LEVEL: "info",
    DATABASE_PORT: plain.DATABASE_PORT,
    NUMBER: plain.NUMBER,
  });
  const text = documents.map((document) => formatManifest(document)).join("---\n");
  const plan = await harness.plan(text, { strict: true });
  expect([summary(plan), plan.unmanaged]).toEqual([[], []]);
  await harness.api("POST", "/_emulator/reset");
  await converge([...shop, database("other")]);
  await harness.reconcile(text);
  expect(await aliasesOf("shop/staging/JOB worker")).toEqual([
    "DATABASE_HOST: shop/staging/DATABASE orders HOST_INTERNAL",
    "HOST_OUTSIDE: shop/staging/DATABASE orders HOST",
  ]);
});

test("the port and the login of the only database with them are outputs, where the key says so", async () => {
  await converge([...shop, database("orders"), job("shop/staging/worker")]);
  const known = await valuesOf("shop/staging/JOB worker", "shop/staging/DATABASE orders");
  const [port, login] = [known.get("PORT") ?? "", known.get("LOGIN") ?? ""];
  await converge([
    ...shop,
    database("orders"),
    job("shop/staging/worker", { variables: { DB_PORT: port, PGUSER: login, DB_USER: login, NUMBER: port } }),
  ]);
  const { documents } = await dump(harness.context(), harness.organization, addressOf("project:shop"));
  expect(documents.find(({ kind }) => kind.name === "Job")?.fields["variables"]).toEqual({
    DB_PORT: of("orders", "port"),
    DB_USER: of("orders", "login"),
    NUMBER: port,
    PGUSER: login,
  });
});

test("an output that no table names has the name of its variable", async () => {
  const api = {
    kind: "Application",
    environment: "shop/staging",
    name: "api",
    git_repository: { url: "https://github.com/acme/api", branch: "main" },
  };
  const caller = job("shop/staging/worker", {
    variables: { BRANCH: { from: "application:api", output: "git_branch" }, DB: of("orders", "database") },
  });
  await converge([...shop, database("orders"), caller, api]);
  expect(await aliasesOf("shop/staging/JOB worker")).toEqual([
    "BRANCH: shop/staging/APPLICATION api GIT_BRANCH",
    "DB: shop/staging/DATABASE orders DATABASE",
  ]);
  const { documents } = await dump(harness.context(), harness.organization, addressOf("project:shop"));
  expect(documents.find(({ kind }) => kind.name === "Job")?.fields["variables"]).toEqual(caller["variables"]);
});

describe("a mistake is found before anything is sent", () => {
  const using = (entry: Fields, member = "variables") => [
    ...shop,
    database("orders"),
    job("shop/staging/worker", { [member]: { A: entry } }),
  ];
  const problemsOf = (documents: readonly Fields[]) =>
    desiredOf(documents).problems.map((problem) => `${problem.message}; ${adviceOf(problem)}`);

  test.each([
    [
      { from: "database:orders", output: "hst_internal" },
      'variables.A: a Database has no output "hst_internal"; did you mean host_internal?',
    ],
    [
      { from: "database:orders" },
      "variables.A: from names a resource, and output is missing; add output: one of host_internal, host, port, login, password, database_name, database, url, url_internal",
    ],
  ])("%o", (entry, problem) => {
    expect(problemsOf(using(entry))).toEqual([expect.stringContaining(problem)]);
  });

  test("an output that is not a secret is refused among secrets", () => {
    expect(problemsOf(using(of("orders", "port"), "secrets"))).toEqual([
      expect.stringContaining(
        "secrets.A: port of a Database is not a secret; declare it under variables instead of secrets",
      ),
    ]);
  });

  test("a kind without outputs", () => {
    expect(problemsOf(using({ from: "databse:orders", output: "port" }))).toEqual([
      expect.stringContaining("did you mean database:orders?"),
    ]);
  });

  test("a database that does not exist", async () => {
    const { problems } = await harness.plan(using(of("ordres", "port")));
    expect(problems).toMatchObject([
      {
        code: "reference",
        message:
          'Job shop/staging/worker: variables.A: there is no Database "ordres" in Environment shop/staging, and no document declares one',
        advice: "did you mean database:orders?",
      },
    ]);
  });
});

test("a plan of services that use outputs reads no more than others, and each output is one write", async () => {
  await converge(all);
  await harness.forgetRequests();
  await harness.plan(all);
  const reads = (await harness.seen()).length;
  const plain = [...shop, database("orders"), job("shop/staging/worker", { variables: { LEVEL: "info" } })];
  await harness.forgetRequests();
  await harness.plan(plain);
  expect((await harness.seen()).length).toBe(reads);
});

test("a prune keeps the database that a document uses, and says who uses it", async () => {
  const pruning = shop.map((each) =>
    each["kind"] === "Environment" ? { ...each, manage: { prune: true } } : each,
  );
  await harness.reconcile([...pruning, worker, database("orders")]);
  const unused = job("shop/staging/worker", { variables: { LEVEL: "info" } });
  const [used, other] = [
    await harness.plan([...pruning, worker], { prune: true }),
    await harness.plan([...pruning, unused], { prune: true }),
  ];
  expect(used.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    "in_use: database:shop/staging/orders cannot be deleted: job:shop/staging/worker uses its outputs",
  ]);
  expect(other.problems).toEqual([]);
  expect((await harness.plan([...pruning, worker, database("orders")], {}, "destroy")).problems).toEqual([]);
});
