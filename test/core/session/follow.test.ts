import { beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/json.ts";
import { summary } from "../../fixtures/harness.ts";
import { useHarness } from "../../fixtures/use-harness.ts";

const harness = useHarness();

const project: Fields = { kind: "Project", name: "shop" };
const environment = (name: string, more: Fields = {}): Fields => ({
  kind: "Environment",
  project: "shop",
  name,
  mode: "STAGING",
  cluster: "eu-west",
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
const application = (parent: string, name: string, more: Fields = {}): Fields => ({
  kind: "Application",
  environment: parent,
  name,
  git_repository: { url: "https://github.com/acme/api", branch: "main", provider: "GITHUB" },
  ports: [{ internal_port: 8080, publicly_accessible: false }],
  ...more,
});

const base = [project, environment("production"), environment("staging")];
const source = job("shop/production", "migrate", {
  cpu: 250,
  variables: { LEVEL: "info", REGION: "eu" },
});
const clone: Fields = {
  kind: "Job",
  environment: "shop/staging",
  name: "migrate",
  clone: { from: "shop/production/migrate", follow: true },
};

/** Applies, and expects the next plan to be empty. */
async function converge(documents: readonly Fields[], policy = {}): Promise<string[]> {
  const plan = await harness.reconcile(documents, policy);
  expect(summary(await harness.plan(documents, policy))).toEqual([]);
  return summary(plan);
}

describe("a service that follows its source", () => {
  test("takes over changes that somebody makes on the source, and applying them converges", async () => {
    await converge([...base, source, clone]);
    const changed = { ...source, cpu: 750, variables: { LEVEL: "debug", REGION: "eu", NEW: "1" } };
    await harness.reconcile([...base, changed]);

    expect(await converge([clone])).toEqual([
      'update job:shop/staging/migrate: cpu 250 -> 750, variables.LEVEL "info" -> "debug", variables.NEW - -> "1"',
    ]);
    await harness.forgetRequests();
    await harness.reconcile([clone]);
    expect(await harness.writes()).toEqual([]);
  });

  test("loses the description and the interpolation that a variable of its source loses", async () => {
    const file = { mount_path: "/etc/a", text: "one" };
    const before = {
      CONFIG: { file, interpolate: true },
      LEVEL: { value: "info", description: "of the log" },
    };
    await converge([...base, { ...source, variables: before }, clone]);
    const after = { CONFIG: { file, interpolate: false }, LEVEL: { value: "info", description: "" } };
    await harness.reconcile([...base, { ...source, variables: after }]);
    expect(await converge([clone])).toEqual([
      'update job:shop/staging/migrate: variables.CONFIG.interpolate true -> false, variables.LEVEL.description "of the log" -> ""',
    ]);
  });

  test("takes over in the same run what the documents change in the source", async () => {
    await converge([...base, source, clone]);
    const changed = { ...source, cpu: 750, variables: { LEVEL: "debug" } };
    expect(await converge([...base, changed, clone])).toEqual([
      'update job:shop/production/migrate: cpu 250 -> 750, variables.LEVEL "info" -> "debug"',
      'update job:shop/staging/migrate: cpu 250 -> 750, variables.LEVEL "info" -> "debug"',
    ]);
  });

  test("keeps what its own document states, and what the document ignores", async () => {
    const own = {
      ...clone,
      cpu: 100,
      variables: { LEVEL: "trace" },
      manage: { ignore: ["source.image.tag", "variables.REGION"] },
    };
    await converge([...base, source, own]);
    const image = { registry: "docker-hub", image_name: "acme/report", tag: "2" };
    await harness.reconcile([
      ...base,
      { ...source, cpu: 750, memory: 256, source: { image }, variables: { LEVEL: "debug", REGION: "us" } },
    ]);
    expect(await converge([own])).toEqual(["update job:shop/staging/migrate: memory 512 -> 256"]);
  });

  test("loses a field, a port and a health check that the source loses", async () => {
    const full = application("shop/production", "api", {
      description: "the API",
      ports: [
        { internal_port: 8080, publicly_accessible: true, external_port: 443 },
        { internal_port: 9090, publicly_accessible: false },
      ],
      healthchecks: { liveness_probe: { type: { tcp: { port: 8080 } } } },
    });
    const follower = {
      ...clone,
      kind: "Application",
      name: "api",
      clone: { from: "shop/production/api", follow: true },
    };
    await converge([...base, full, follower]);
    await harness.reconcile([
      {
        ...full,
        description: null,
        ports: [{ internal_port: 8080, publicly_accessible: false }],
        healthchecks: null,
      },
    ]);
    const changes = await converge([follower]);
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatch(/description .*healthchecks.*ports\.\[9090/s);
  });

  test("reports a source that is gone", async () => {
    await converge([...base, source, clone]);
    await harness.api("DELETE", `/job/${await harness.idOf("shop/production/JOB migrate")}`);
    const plan = await harness.plan([clone]);
    expect(plan.problems.map(({ code }) => code)).toEqual(["missing_source"]);
  });

  test("loses a variable that its source loses, only in a run that prunes", async () => {
    await converge([...base, source, clone]);
    await harness.reconcile([{ ...source, variables: { REGION: null } }]);
    const plan = await harness.plan([clone]);
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ message }) => message)).toEqual([
      "has 1 variable that neither its document nor its source states (REGION)",
    ]);
    expect(await converge([clone], { prune: true })).toEqual([
      'update job:shop/staging/migrate: variables.REGION "eu" -> -',
    ]);
    await converge([...base, source, clone]);
    await harness.reconcile([{ ...source, variables: { REGION: null } }]);
    const refused = await harness.plan([clone], { prune: true, caps: { count: 0, percent: 100 } });
    expect(refused.problems.map(({ code }) => code)).toEqual(["too_many"]);
  });

  test("gets no secret whose value nobody can read, and says so", async () => {
    await converge([...base, source, clone]);
    await harness.api("POST", "/variable", {
      key: "TOKEN",
      value: "hidden",
      is_secret: true,
      variable_scope: "JOB",
      variable_parent_id: await harness.idOf("shop/production/JOB migrate"),
    });
    const plan = await harness.plan([clone]);
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "not_followed: has no secret TOKEN, unlike its source; nobody can read the value there, so state it under secrets",
    ]);
  });

  test("leaves an alias of a variable alone that only the source sees", async () => {
    await converge([...base, source, application("shop/production", "api"), clone]);
    const id = await harness.idOf("shop/production/JOB migrate");
    const seen = await harness.results(`/variable?parent_id=${id}&scope=JOB`);
    const target = seen.find(({ scope, key }) => scope === "BUILT_IN" && /_Z[0-9A-F]{8}_/.test(String(key)));
    expect(target).toBeDefined();
    await harness.api("POST", `/variable/${String(target?.["id"])}/alias`, {
      key: "WHO",
      alias_scope: "JOB",
      alias_parent_id: id,
    });
    expect(await converge([clone])).toEqual([]);
  });

  test("costs the lists of its source and of the variables of both", async () => {
    await converge([...base, source, clone]);
    await harness.forgetRequests();
    await harness.plan([clone]);
    const reads = (await harness.seen()).map(({ path }) => path.replace(/\?.*/, "").split("/").at(-1));
    expect(reads.toSorted()).toEqual([
      "environment",
      "project",
      "services",
      "services",
      "variable",
      "variable",
    ]);
  });
});

describe("an environment that follows its source", () => {
  const preview: Fields = {
    kind: "Environment",
    project: "shop",
    name: "preview",
    mode: "DEVELOPMENT",
    clone: { from: "shop/production", follow: true },
    manage: { prune: true },
  };
  const production = [
    project,
    environment("production", { variables: { STAGE: "production" } }),
    source,
    application("shop/production", "api"),
  ];

  beforeEach(async () => {
    await converge([...production, preview]);
  });

  test("takes over changes of its source and of the services there", async () => {
    await harness.reconcile([
      environment("production", { variables: { STAGE: "other" } }),
      { ...source, cpu: 750, variables: { LEVEL: "debug" } },
    ]);
    expect(await converge([preview])).toEqual([
      'update environment:shop/preview: variables.STAGE "production" -> "other"',
      'update job:shop/preview/migrate: cpu 250 -> 750, variables.LEVEL "info" -> "debug"',
    ]);
  });

  test("gets the services that come, and loses those that go in a run that prunes", async () => {
    await harness.reconcile([job("shop/production", "report", { cpu: 100 })]);
    await harness.api("DELETE", `/job/${await harness.idOf("shop/production/JOB migrate")}`);
    const plan = await harness.reconcile([preview]);
    expect(summary(plan)).toEqual(["clone job:shop/preview/report"]);
    expect(plan.notes.map(({ code }) => code)).toEqual(["undescribed_resources"]);
    expect(await converge([preview], { prune: true })).toEqual(["delete job:shop/preview/migrate"]);
    expect(
      [...(await harness.everything()).keys()].filter((path) => path.includes("preview/")).toSorted(),
    ).toEqual(["shop/preview/APPLICATION api", "shop/preview/JOB report"]);
  });

  test("loses in one run a service that the run prunes in its source", async () => {
    const pruned = [
      environment("production", { manage: { prune: true } }),
      application("shop/production", "api"),
      preview,
    ];
    expect(await converge(pruned, { prune: true })).toEqual([
      "delete job:shop/production/migrate",
      "delete job:shop/preview/migrate",
    ]);
  });

  test("keeps a protected service that its source loses", async () => {
    await harness.api("DELETE", `/job/${await harness.idOf("shop/production/JOB migrate")}`);
    const keeping = { kind: "Job", environment: "shop/preview", name: "migrate", manage: { protect: true } };
    expect(await converge([preview, keeping], { prune: true })).toEqual([]);
  });

  test("mentions what goes without the consent of its document", async () => {
    await harness.api("DELETE", `/job/${await harness.idOf("shop/production/JOB migrate")}`);
    const { manage: _manage, ...kept } = preview;
    const plan = await harness.plan([kept], { prune: true });
    expect(summary(plan)).toEqual([]);
    expect(plan.notes.map(({ message }) => message)).toEqual([
      "contains 1 resource that its source does not contain and that no document describes (Job shop/preview/migrate)",
    ]);
  });

  test("lays the documents of its services over those of the source", async () => {
    const own = { kind: "Job", environment: "shop/preview", name: "migrate", cpu: 100 };
    expect(await converge([preview, own])).toEqual(["update job:shop/preview/migrate: cpu 250 -> 100"]);
    await harness.reconcile([{ ...source, cpu: 750, memory: 256 }]);
    expect(await converge([preview, own])).toEqual(["update job:shop/preview/migrate: memory 512 -> 256"]);
  });

  test("is followed by a clone of its own", async () => {
    const second = { ...preview, name: "second", clone: { from: "shop/preview", follow: true } };
    await converge([preview, second]);
    await harness.reconcile([{ ...source, cpu: 750 }, job("shop/production", "report")]);
    expect(await converge([preview, second])).toEqual([
      "update job:shop/preview/migrate: cpu 250 -> 750",
      "clone job:shop/preview/report",
      "update job:shop/second/migrate: cpu 250 -> 750",
      "clone job:shop/second/report",
    ]);
  });

  test("follows what a target does not choose no less: nothing of it is pruned", async () => {
    const { parsePattern } = await import("../../../core/index.ts");
    const targets = [parsePattern("job:shop/preview/*")];
    expect(summary(await harness.plan([preview], { prune: true, targets }))).toEqual([]);
    await harness.reconcile([{ ...source, cpu: 750 }]);
    expect(summary(await harness.plan([preview], { prune: true, targets }))).toEqual([
      "update job:shop/preview/migrate: cpu 250 -> 750",
    ]);
  });
});

describe("an environment that no run has made as a clone", () => {
  const follower = (more: Fields = {}): Fields => ({
    ...environment("staging"),
    clone: { from: "shop/production", follow: true },
    manage: { prune: true },
    ...more,
  });
  const services = [source, job("shop/staging", "own", { cpu: 100 })];
  const policy = { prune: true, caps: { count: 100, percent: 100 } };
  beforeEach(() => harness.reconcile([...base, ...services]));

  test("does not become one because its document says follow", async () => {
    const plan = await harness.plan([...base.slice(0, 2), follower()], policy);
    expect(plan.problems.map(({ code, address }) => `${code} ${address}`)).toEqual([
      "exists environment:shop/staging",
    ]);
    expect(summary(plan)).toEqual([]);
  });

  test("loses nothing to a run whose targets leave its document out", async () => {
    const { parsePattern } = await import("../../../core/index.ts");
    const targets = [parsePattern("job:shop/staging/*")];
    expect(summary(await harness.plan([follower()], { ...policy, targets }))).toEqual([]);
  });

  test("becomes one where its document names it by its id, and stays one without that", async () => {
    const id = await harness.idOf("shop/staging");
    expect(await converge([follower({ manage: { prune: true, id } })], policy)).toEqual([
      expect.stringMatching(/^update environment:shop\/staging: .*variables.INFRASYNC_CLONE_OF/),
      "clone job:shop/staging/migrate",
      "delete job:shop/staging/own",
    ]);
    expect(summary(await harness.plan([follower()], policy))).toEqual([]);
  });

  test("is not marked by the clone of another run", async () => {
    const { name: _name, ...rest } = follower();
    const copy = { ...rest, name: "copy", manage: {} };
    const plan = await harness.plan([copy]);
    await harness.reconcile([{ ...environment("copy"), clone: { from: "shop/production" } }]);
    await harness.apply(plan);
    expect((await harness.plan([copy])).problems.map(({ code }) => code)).toEqual(["exists"]);
  });

  test("a clone keeps following under a new name", async () => {
    await harness.reconcile([{ ...follower({ manage: {} }), name: "copy" }]);
    const renamed = { ...follower({ manage: { renamed_from: "copy" } }), name: "other" };
    await converge([renamed]);
    expect(summary(await harness.plan([{ ...renamed, manage: {} }]))).toEqual([]);
  });
});

test("a clone of an environment says which variables and secrets come with it", async () => {
  await harness.reconcile([
    project,
    environment("production", { variables: { STAGE: "production" } }),
    source,
  ]);
  await harness.api("POST", "/variable", {
    key: "TOKEN",
    value: "hidden",
    is_secret: true,
    variable_scope: "ENVIRONMENT",
    variable_parent_id: await harness.idOf("shop/production"),
  });
  const plan = await harness.plan([environment("copy", { clone: { from: "shop/production" } })]);
  expect(plan.actions.map((action) => action.type === "clone" && action.carries)).toEqual([
    [
      { sort: "secret", keys: ["TOKEN"], isReadable: false },
      { sort: "variable", keys: ["STAGE"], isReadable: true },
    ],
  ]);
});
