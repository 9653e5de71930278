import { beforeEach, describe, expect, test } from "vitest";
import { parsePattern, type Policy } from "../../../../core/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { summary } from "../../../fixtures/harness.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

const project: Fields = { kind: "Project", name: "shop" };
const environment = (name: string, manage: Fields = {}): Fields => ({
  kind: "Environment",
  project: "shop",
  name,
  mode: "STAGING",
  manage,
});
const database = (parent: string, name: string, more: Fields = {}): Fields => ({
  kind: "Database",
  environment: parent,
  name,
  type: "POSTGRESQL",
  version: "16",
  mode: "CONTAINER",
  ...more,
});
const job = (parent: string, name: string, more: Fields = {}): Fields => ({
  kind: "Job",
  environment: parent,
  name,
  source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { on_start: {} },
  ...more,
});
const production = [project, environment("production"), database("shop/production", "orders")];
const patterns = (...texts: string[]) => texts.map((text) => parsePattern(text));
const codes = ({ problems }: { problems: readonly { code: string }[] }) => [
  ...new Set(problems.map(({ code }) => code)),
];

describe("a consent covers what its pattern names on the server and in the documents", () => {
  beforeEach(() => harness.reconcile(production));
  const renamed = [project, environment("preview-9", { renamed_from: "production", prune: true })];

  test("a target does not delete an environment to which a document gives another name", async () => {
    const destroy = (...texts: string[]) =>
      harness.plan(renamed, { prune: true, targets: patterns(...texts) }, "destroy");
    expect(codes(await destroy("environment:shop/preview-*"))).toEqual(["target"]);
    const plan = await destroy("environment:shop/preview-*", "environment:shop/production");
    expect(codes(plan)).toEqual([]);
    expect(summary(plan)).toEqual(["delete environment:shop/preview-9"]);
  });

  test("a target does not change, nor add to, an environment to which a document gives another name", async () => {
    const more = [...renamed, job("shop/preview-9", "report")];
    const plan = (...texts: string[]) => harness.plan(more, { targets: patterns(...texts) });
    expect(codes(await plan("environment:shop/preview-*"))).toEqual(["target"]);
    expect(codes(await plan("job:shop/preview-*/*"))).toEqual(["target"]);
    expect(codes(await plan("shop/preview-*/**", "shop/production/**"))).toEqual([]);
  });

  test("a consent to replace does not cover a database to which a document gives another name", async () => {
    const other = [
      project,
      environment("production"),
      database("shop/production", "cache", { type: "MYSQL", manage: { renamed_from: "orders" } }),
    ];
    const plan = (...texts: string[]) => harness.plan(other, { allowReplace: patterns(...texts) });
    expect(codes(await plan("database:shop/production/cache"))).toEqual(["replacement"]);
    expect(codes(await plan("database:shop/production/cache", "database:shop/production/orders"))).toEqual(
      [],
    );
  });

  test("a consent to lose data does not cover a database to which a document gives another name", async () => {
    await harness.reconcile([
      ...production.slice(0, 2),
      database("shop/production", "orders", { storage: 50 }),
    ]);
    const smaller = [
      ...production.slice(0, 2),
      database("shop/production", "cache", { storage: 10, manage: { renamed_from: "orders" } }),
    ];
    const plan = (...texts: string[]) => harness.plan(smaller, { allowReplace: patterns(...texts) });
    expect(codes(await plan("database:shop/production/cache"))).toEqual(["loss"]);
    expect(codes(await plan("database:*/*/cache", "database:*/*/orders"))).toEqual([]);
  });

  test("a cluster is confirmed by both names", async () => {
    const cluster = (name: string, more: Fields = {}): Fields => ({ kind: "Cluster", name, ...more });
    const documents = [cluster("spare", { description: "x", manage: { renamed_from: "eu-west" } })];
    const plan = (...infrastructure: string[]) => harness.plan(documents, { infrastructure });
    expect(codes(await plan("spare"))).toEqual(["infrastructure"]);
    expect(codes(await plan("spare", "eu-west"))).toEqual([]);
  });
});

describe("the fingerprint of a replacement", () => {
  const withVariable = (more: Fields = {}) => [
    project,
    environment("production"),
    job("shop/production", "report", more),
  ];

  test("changes with the value of a variable and with a secret that would be lost, and shows neither", async () => {
    await harness.reconcile(withVariable({ variables: { LEVEL: "info" } }));
    const parent = await harness.idOf("shop/production/JOB report");
    const secret = { key: "TOKEN", value: "hidden", is_secret: true, variable_scope: "JOB" };
    await harness.api("POST", "/variable", { ...secret, variable_parent_id: parent });
    const fingerprint = async () => {
      const renewed = withVariable({ schedule: { cronjob: { scheduled_at: "0 3 * * *", timezone: "UTC" } } });
      const { problems } = await harness.plan(renewed);
      const [remedy] = problems.find(({ code }) => code === "replacement")?.remedies ?? [];
      expect(JSON.stringify(problems)).not.toMatch(/info|hidden|trace/);
      return remedy && "declared" in remedy ? remedy.declared : undefined;
    };
    const first = await fingerprint();
    expect(first).toMatch(/^replace-/);
    expect(await fingerprint()).toBe(first);
    const listed = await harness.results(`/variable?parent_id=${parent}&scope=JOB`);
    const change = async (key: string, value: string) => {
      const { id } = listed.find((each) => each["key"] === key) ?? {};
      await harness.api("POST", "/_emulator/clock", { advance_ms: 1000 });
      await harness.api("PUT", `/variable/${String(id)}`, { key, value });
    };
    await change("LEVEL", "trace");
    const second = await fingerprint();
    expect(second).not.toBe(first);
    await change("TOKEN", "hidden too");
    expect(await fingerprint()).not.toBe(second);
  });
});

describe("protection", () => {
  const protect = patterns("shop/production/**");
  const renamed = (manage: Fields = {}) => [
    project,
    environment("live", { renamed_from: "production", ...manage }),
    database("shop/live", "orders"),
  ];
  const plan = (documents: readonly Fields[], policy: Partial<Policy> = {}) =>
    harness.plan(documents, { protect, ...policy });
  beforeEach(() => harness.reconcile(production));

  test("does not end with a new name that no pattern protects, unless the document consents to just that", async () => {
    const refused = await plan(renamed());
    expect(codes(refused)).toEqual(["protected"]);
    const [remedy] = refused.problems[0]?.remedies ?? [];
    const consent = (remedy && "declared" in remedy && remedy.declared) || "";
    expect(consent).toMatch(/^unprotect-/);
    expect(codes(await plan(renamed({ consent })))).toEqual([]);
    const another = [
      project,
      environment("old", { renamed_from: "production", consent }),
      database("shop/old", "orders"),
    ];
    expect(codes(await plan(another))).toEqual(["protected"]);
    // The consent is void as soon as more would lose its protection.
    await harness.reconcile([job("shop/production", "report")]);
    expect(codes(await plan(renamed({ consent })))).toEqual(["protected"]);
  });

  test("goes on where a pattern protects the new name as well", async () => {
    expect(codes(await plan(renamed(), { protect: patterns("shop/production/**", "shop/live/**") }))).toEqual(
      [],
    );
  });

  test("of what is inside counts when its parent is renamed, also if no document declares it", async () => {
    const parent = [project, environment("live", { renamed_from: "production" })];
    const inside = { protect: patterns("database:shop/production/*") };
    const refused = await plan(parent, inside);
    expect(codes(refused)).toEqual(["protected"]);
    expect(refused.problems[0]?.message).toContain("database:shop/production/orders");
  });
});
