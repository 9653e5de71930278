import { beforeEach, expect, onTestFinished, test } from "vitest";
import { costOf } from "../../../../core/index.ts";
import type { Fields } from "../../../../core/values/json.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";
import { application, cronJob, job, lifecycleJob, shop } from "../../../fixtures/manifests.ts";
import { allow } from "../../../fixtures/policy.ts";
import { applySaved, saved } from "../../../fixtures/saved-plans.ts";

let server: Harness;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
});

const settings = (text: string, more = "") => shop + job("a", `advanced_settings: ${text}\n${more}`);

async function settingsOf(name: string, type = "job"): Promise<Fields> {
  const id = await server.idOf(`shop/staging/${type.toUpperCase()} ${name}`);
  return (await server.api("GET", `/${type}/${id}/advancedSettings`)) as Fields;
}

const defaults = async (type = "Job") =>
  (await server.api("GET", `/default${type}AdvancedSettings`)) as Fields;

const requests = async () =>
  (await server.seen()).map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "ID")}`);

async function changesOf(text: string) {
  const plan = await server.plan(text);
  const update = plan.actions.find(({ type }) => type === "update");
  return update?.type === "update" ? update.changes : [];
}

test("stated settings are written with a new service, changed alone, and otherwise left alone", async () => {
  await server.reconcile(settings("{ build.timeout_max_sec: 60, cronjob.concurrency_policy: Allow }"));
  const declared = { "build.timeout_max_sec": 60, "cronjob.concurrency_policy": "Allow" };
  expect(await settingsOf("a")).toEqual({ ...(await defaults()), ...declared });
  const changed = settings("{ build.timeout_max_sec: 90 }");
  expect(await changesOf(changed)).toEqual([
    { path: ["advanced_settings", "build.timeout_max_sec"], before: 60, after: 90 },
  ]);
  await server.reconcile(changed);
  expect(await settingsOf("a")).toEqual({ ...(await defaults()), ...declared, "build.timeout_max_sec": 90 });
  expect(summary(await server.plan(changed))).toEqual([]);
  expect(summary(await server.plan(shop + job("a")))).toEqual([]);
});

test("null gives a setting the default of the API, also one that has no value", async () => {
  const ttl = "job.delete_ttl_seconds_after_finished";
  await server.reconcile(settings(`{ build.timeout_max_sec: 60, ${ttl}: 5, build.ram_max_in_gib: 4 }`));
  const reset = settings(`{ build.timeout_max_sec: null, ${ttl}: null }`);
  expect(await changesOf(reset)).toEqual([
    { path: ["advanced_settings", "build.timeout_max_sec"], before: 60, after: 1800 },
    { path: ["advanced_settings", ttl], before: 5 },
  ]);
  await server.reconcile(reset);
  expect(await settingsOf("a")).toEqual({ ...(await defaults()), "build.ram_max_in_gib": 4 });
  expect(summary(await server.plan(reset))).toEqual([]);
});

test("lists, mappings, texts, numbers and flags are compared and written whole", async () => {
  const text = `{
    deployment.lifecycle.pre_stop_exec_command: [sh, -c, sleep 5],
    deployment.affinity.node.required: { pool: big, zone: a },
    network.ingress.enable_cors: true,
    network.ingress.cors_allow_origin: https://shop.example.com,
    hpa.memory.average_utilization_percent: 70,
  }`;
  await server.reconcile(shop + application("api", `advanced_settings: ${text}`));
  expect(await settingsOf("api", "application")).toMatchObject({
    "deployment.lifecycle.pre_stop_exec_command": ["sh", "-c", "sleep 5"],
    "deployment.affinity.node.required": { pool: "big", zone: "a" },
    "network.ingress.enable_cors": true,
    "hpa.memory.average_utilization_percent": 70,
  });
  const same = text.replace("{ pool: big, zone: a }", "{ zone: a, pool: big }");
  expect(summary(await server.plan(shop + application("api", `advanced_settings: ${same}`)))).toEqual([]);
});

test("a plan reads settings only of services whose documents declare some, and the defaults once for a kind", async () => {
  const text =
    shop +
    ["a", "b"].map((name) => job(name, "advanced_settings: { build.ram_max_in_gib: 4 }")).join("") +
    job("c");
  await server.reconcile(text);
  await server.forgetRequests();
  expect(summary(await server.plan(text))).toEqual([]);
  expect((await requests()).toSorted()).toEqual([
    "GET /defaultJobAdvancedSettings",
    "GET /environment/ID/services",
    "GET /job/ID/advancedSettings",
    "GET /job/ID/advancedSettings",
    "GET /organization/ID/project",
    "GET /project/ID/environment",
  ]);
  await server.forgetRequests();
  await server.plan(shop + job("a") + job("b") + job("c"));
  expect((await requests()).filter((request) => request.includes("dvancedSettings"))).toEqual([]);
});

test("many changed settings are one request, of which the plan knows", async () => {
  await server.reconcile(settings("{ build.ram_max_in_gib: 4 }"));
  const changed = settings(
    "{ build.ram_max_in_gib: 6, build.cpu_max_in_milli: 2000, build.timeout_max_sec: null }",
  );
  const plan = await server.plan(changed);
  await server.forgetRequests();
  await server.apply(plan);
  expect(await requests()).toEqual(["GET /job/ID/advancedSettings", "PUT /job/ID/advancedSettings"]);
  expect(costOf(plan).applying).toBe(2);

  const made = await server.plan(
    settings("{ build.ram_max_in_gib: 6 }") +
      job("b", "advanced_settings: { build.ram_max_in_gib: 6, build.cpu_max_in_milli: 100 }"),
  );
  await server.forgetRequests();
  await server.apply(made);
  expect((await requests()).filter((request) => !request.startsWith("GET /environment"))).toHaveLength(
    costOf(made).applying,
  );
});

test("an unknown name is an error at its place, with the nearest known name, and nothing is written", async () => {
  const problemsOf = async (text: string) => {
    const { problems } = await server.plan(settings(text));
    return problems.map(
      ({ code, message, advice, position }) => `${code}:${position?.line} ${message}; ${advice}`,
    );
  };
  expect(
    await problemsOf("\n  build.timeout_max_secs: 60\n  timeout_max_sec: 5\n  build: { timeout_max_sec: 5 }"),
  ).toEqual([
    'invalid:17 Job shop/staging/a: advanced_settings: there is no advanced setting "build.timeout_max_secs"; did you mean build.timeout_max_sec?',
    'invalid:18 Job shop/staging/a: advanced_settings: there is no advanced setting "timeout_max_sec"; did you mean build.timeout_max_sec?',
    'invalid:19 Job shop/staging/a: advanced_settings: there is no advanced setting "build"; write the whole name as one key, such as build.timeout_max_sec',
  ]);
  const [none] = await problemsOf("{ network.ingress.enable_cors: true }");
  expect(none).toMatch(
    /there is no advanced setting "network\.ingress\.enable_cors"; there are: build\.cpu_max_in_milli, /,
  );
  expect(await server.writes()).toEqual([]);
});

test("a value of another type than the default is an error at its place", async () => {
  const { problems } = await server.plan(
    shop +
      application(
        "api",
        `advanced_settings:
  build.timeout_max_sec: "60"
  build.cpu_max_in_milli: 1.5
  build.skip_git_submodules: 1
  security.service_account_name: [a]
  deployment.affinity.node.required: pool
  deployment.lifecycle.pre_stop_exec_command: { sh: c }
  hpa.memory.average_utilization_percent: 7`,
      ),
  );
  expect(
    problems.map(({ message }) => message.replace("Application shop/staging/api: advanced_settings: ", "")),
  ).toEqual([
    'build.timeout_max_sec must be a whole number, not "60"',
    "build.cpu_max_in_milli must be a whole number, not 1.5",
    "build.skip_git_submodules must be true or false, not 1",
    "security.service_account_name must be a text, not a list",
    'deployment.affinity.node.required must be a mapping, not "pool"',
    "deployment.lifecycle.pre_stop_exec_command must be a list, not a mapping",
  ]);
  expect(problems[0]?.advice).toBe("write a whole number, such as its default 1800");
});

test("a value that a setting cannot have, and a key that no setting can have, are found without a server", () => {
  const { problems } = desiredOf(
    shop + application("api", "advanced_settings: { deployment.update_strategy.type: Recreated }"),
  );
  expect(problems).toMatchObject([
    {
      code: "invalid",
      message:
        'Application shop/staging/api: advanced_settings: deployment.update_strategy.type must be one of RollingUpdate, Recreate, not "Recreated"',
      position: { line: 16 },
    },
  ]);
  expect(desiredOf(settings('{ "build timeout": 5 }')).problems).toMatchObject([
    { message: expect.stringContaining('"build timeout" cannot be the name of a setting') as string },
  ]);
});

test("a kind without settings refuses them", () => {
  const { problems } = desiredOf(`${shop}advanced_settings: { a: 1 }\n`);
  expect(problems).toMatchObject([
    { message: expect.stringContaining('an Environment has no field "advanced_settings"') as string },
  ]);
});

test("a clone has the settings of its source, and those that its document declares", async () => {
  const text = settings("{ build.ram_max_in_gib: 4, build.cpu_max_in_milli: 2000 }");
  await server.reconcile(text);
  const copy = `
---
kind: Job
environment: shop/staging
name: copy
clone: { from: shop/staging/a }
advanced_settings: { build.cpu_max_in_milli: 1000 }
`;
  const plan = await server.reconcile(text + copy);
  const clone = plan.actions.find(({ type }) => type === "clone");
  expect(clone?.type === "clone" && clone.changes).toEqual([
    { path: ["advanced_settings", "build.cpu_max_in_milli"], before: 2000, after: 1000 },
  ]);
  expect(await settingsOf("copy")).toMatchObject({
    "build.ram_max_in_gib": 4,
    "build.cpu_max_in_milli": 1000,
  });
  expect(summary(await server.plan(text + copy))).toEqual([]);
});

test("a replacement writes settings again that no document declares", async () => {
  await server.reconcile(shop + cronJob("a", "advanced_settings: { build.ram_max_in_gib: 4 }\n"));
  await server.reconcile(shop + lifecycleJob("a"), allow("job:shop/staging/a"));
  expect(await settingsOf("a")).toEqual({ ...(await defaults()), "build.ram_max_in_gib": 4 });
});

test("a deletion does not read settings, and loses none", async () => {
  await server.reconcile(settings("{ build.ram_max_in_gib: 4 }"));
  await server.forgetRequests();
  const plan = await server.plan(settings("{ build.ram_max_in_gib: 4 }"), {}, "destroy");
  expect(plan.actions.find(({ type }) => type === "delete")).toMatchObject({ losses: [] });
  expect((await requests()).filter((request) => request.includes("dvancedSettings"))).toEqual([]);
});

test("a list of all settings resets the others to their defaults when a run prunes", async () => {
  await server.reconcile(settings("{ build.ram_max_in_gib: 4, build.cpu_max_in_milli: 2000 }"));
  const text = settings("{ build.ram_max_in_gib: 4 }", "manage: { exclusive: [advanced_settings] }");
  const { notes, actions } = await server.plan(text);
  expect(actions.every(({ type }) => type === "none")).toBe(true);
  expect(notes.map(({ message }) => message)).toEqual([
    "has 1 advanced setting that its document does not declare (build.cpu_max_in_milli)",
  ]);
  await server.reconcile(text, { prune: true });
  expect(await settingsOf("a")).toEqual({ ...(await defaults()), "build.ram_max_in_gib": 4 });
  expect(summary(await server.plan(text, { prune: true }))).toEqual([]);
  expect((await server.plan(text)).notes).toEqual([]);
});

test("a setting that loses its value is no removal, so protection and caps allow it", async () => {
  const ttl = "job.delete_ttl_seconds_after_finished";
  await server.reconcile(settings(`{ ${ttl}: 5 }`));
  const plan = await server.plan(settings(`{ ${ttl}: null }`, "manage: { protect: true }"), {
    caps: { count: 0, percent: 0 },
  });
  expect(plan.problems).toEqual([]);
  expect(summary(plan)).toHaveLength(1);
});

test("a setting can be ignored", async () => {
  const text = (sec: number) =>
    settings(
      `{ build.timeout_max_sec: ${sec} }`,
      "manage: { ignore: [advanced_settings.build.timeout_max_sec] }",
    );
  await server.reconcile(text(60));
  expect(summary(await server.plan(text(90)))).toEqual([]);
});

test("a saved plan is stale when somebody changes a setting that it changes", async () => {
  await server.reconcile(settings("{ build.ram_max_in_gib: 4 }"));
  const plan = await saved(server, settings("{ build.ram_max_in_gib: 6 }"));
  await server.reconcile(settings("{ build.ram_max_in_gib: 5 }"));
  expect(await applySaved(server, plan)).toMatchObject({ ended: "stale_plan" });
});

test("network settings of applications and containers are written, changed and reset", async () => {
  const text = (value: string) => shop + application("api", `network: ${value}`);
  const stickyOf = async () =>
    server.api("GET", `/application/${await server.idOf("shop/staging/APPLICATION api")}/network`);
  await server.reconcile(text("{ sticky_session: true }"));
  expect(await stickyOf()).toEqual({ sticky_session: true });
  expect(summary(await server.plan(shop + application("api")))).toEqual([]);
  expect(await changesOf(text("{ sticky_session: null }"))).toEqual([
    { path: ["network", "sticky_session"], before: true, after: false },
  ]);
  await server.reconcile(text("{ sticky_session: false }"));
  expect(await stickyOf()).toEqual({ sticky_session: false });
  expect(summary(await server.plan(text("{ sticky_session: null }")))).toEqual([]);
});
