import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Lifecycle } from "../../../provider/lifecycle/lifecycle.ts";
import type { Properties } from "../../../provider/lifecycle/inputs.ts";
import { unknownValue } from "../../../provider/lifecycle/unknown.ts";
import { Harness } from "../../fixtures/harness.ts";

const job = {
  kind: "Job",
  environment: "shop/staging",
  name: "nightly",
  source: { image: { registry: "docker-hub", image_name: "acme/report", tag: "1" } },
  schedule: { on_start: {} },
};

/** A server with a job, and a lifecycle. */
async function start(settings: Record<string, string> = {}) {
  const server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await server.reconcile([
    { kind: "Project", name: "shop" },
    { kind: "Environment", project: "shop", name: "staging" },
    job,
  ]);
  const { url, tokens } = server.emulator;
  const values: Record<string, string> = {
    "infrasync:baseUrl": url,
    "infrasync:token": tokens.admin,
    ...settings,
  };
  const config = { get: (key: string) => values[key] };
  const lifecycle = new Lifecycle({}, () => {});
  const all = await server.everything();
  const id = String(all.get("shop/staging/JOB nightly")?.["id"]);
  const entries = async (scope = "JOB") => {
    const path = `/variable?parent_id=${id}&scope=${scope}`;
    const { results } = (await server.api("GET", path)) as { results: Record<string, unknown>[] };
    return results.filter((each) => each["scope"] === scope);
  };
  await server.forgetRequests();
  const create = async (kind: string, news: Properties) => {
    const { inputs, failures } = await lifecycle.check(kind, {}, news, config);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return lifecycle.create(kind, inputs, config, `urn ${String(news["key"])}`);
  };
  const environment = String(all.get("shop/staging")?.["id"]);
  return { server, config, lifecycle, id, environment, entries, create };
}

test("a variable is created, stays as it is, changes, shows drift, and goes", async () => {
  const { server, config, lifecycle, id, entries, create } = await start();
  const news = { job: id, key: "HOST", value: "db", description: "of the database" };
  const made = await create("Variable", news);
  expect(made).toMatchObject({ id: `${id}/HOST`, outs: news });
  expect((await server.seen()).map(({ method, path }) => `${method} ${path.replace(id, "ID")}`)).toEqual([
    "GET /job/ID",
    "GET /variable",
    "GET /variable",
    "POST /variable",
  ]);
  expect(await entries()).toMatchObject([{ key: "HOST", value: "db", description: "of the database" }]);
  const diff = (olds: Properties, inputs: Properties) =>
    lifecycle.diff("Variable", made.id, olds, inputs, config);
  expect(await diff(made.outs, news)).toMatchObject({ changes: false, replaces: [] });
  const read = await lifecycle.read("Variable", made.id, made.outs, config);
  expect(read).toMatchObject({ id: made.id, inputs: news });
  expect(await diff(read.props, news)).toMatchObject({ changes: false });

  const changed = { job: id, key: "HOST", value: "db-2" };
  expect(await diff(read.props, changed)).toMatchObject({ changes: true, replaces: [] });
  const { outs } = await lifecycle.update("Variable", made.id, read.props, changed, config);
  expect(await entries()).toMatchObject([{ key: "HOST", value: "db-2", description: "" }]);
  expect(await diff(outs, changed)).toMatchObject({ changes: false });

  const [{ id: variable } = {}] = await entries();
  await server.api("PUT", `/variable/${String(variable)}`, { key: "HOST", value: "by hand" });
  const drifted = await new Lifecycle({}, () => {}).read("Variable", made.id, outs, config);
  expect(drifted.props).toMatchObject({ value: "by hand" });
  expect(await diff(drifted.props, changed)).toMatchObject({ changes: true });

  expect(await diff(outs, { ...changed, key: "OTHER" })).toMatchObject({ replaces: ["key"] });
  expect(await diff(outs, { ...changed, key: unknownValue })).toMatchObject({ replaces: ["key"] });
  await lifecycle.remove("Variable", made.id, outs, config);
  expect(await entries()).toEqual([]);
  await lifecycle.remove("Variable", made.id, outs, config);
  expect(await new Lifecycle({}, () => {}).read("Variable", made.id, outs, config)).toMatchObject({ id: "" });
});

test.each([true, false])(
  "the input owner names any owner by its id (in the program: %s), and is the same as the input of its kind",
  async (isOfProgram) => {
    const { server, config, lifecycle, id, environment, entries, create } = await start();
    if (isOfProgram)
      await lifecycle.create("Job", { environment, name: "nightly", adopt: true }, config, urn("Job", "j"));
    await server.forgetRequests();
    const news = { owner: id, key: "HOST", value: "db" };
    const made = await create("Variable", news);
    expect(made).toMatchObject({ id: `${id}/HOST`, outs: { ...news, __ownerKind: "job" } });
    const holders = (await server.seen()).filter(({ method, path }) => method === "GET" && path.includes(id));
    expect(holders.map(({ path }) => path.split("/")[1])).toEqual(
      isOfProgram ? ["job"] : ["project", "environment", "application", "container", "helm", "job"],
    );
    const next = new Lifecycle({}, () => {});
    await server.forgetRequests();
    const read = await next.read("Variable", made.id, made.outs, config);
    expect(read).toMatchObject({ id: made.id, props: { __ownerKind: "job" }, inputs: news });
    expect((await server.seen()).map(({ path }) => path.split("/")[1])).not.toContain("project");
    const diff = (olds: Properties, inputs: Properties) =>
      lifecycle.diff("Variable", made.id, olds, inputs, config);
    const { owner: _owner, ...rest } = news;
    const byKind = { ...rest, job: id.toUpperCase() };
    expect(await diff(read.props, byKind)).toMatchObject({ changes: false, replaces: [] });
    expect(await diff(byKind, news)).toMatchObject({ changes: false, replaces: [] });
    expect(await diff(byKind, { ...news, owner: environment })).toMatchObject({ replaces: ["owner"] });
    expect(await diff(made.outs, { ...news, owner: unknownValue })).toMatchObject({ replaces: ["owner"] });
    const changed = { ...news, value: "db-2" };
    const { outs } = await next.update("Variable", made.id, read.props, changed, config);
    expect(await entries()).toMatchObject([{ key: "HOST", value: "db-2" }]);
    await next.remove("Variable", made.id, outs, config);
    expect(await entries()).toEqual([]);
    const nowhere = { ...news, owner: "00000000-0000-4000-8000-000000000000" };
    await expect(create("Variable", nowhere)).rejects.toThrow(
      "there is no project, environment or service with the id 00000000-0000-4000-8000-000000000000",
    );
  },
);

test("a secret is written, written again when its value changes, and shown nowhere", async () => {
  const { server, config, lifecycle, id, entries, create } = await start();
  const news = { job: id, key: "PASSWORD", value: "first-canary" };
  const made = await create("Secret", news);
  expect(made.outs["__secret"]).toEqual(["/value"]);
  expect(await entries()).toMatchObject([{ key: "PASSWORD", is_secret: true }]);
  const read = await new Lifecycle({}, () => {}).read("Secret", made.id, made.outs, config);
  expect(read.props).toMatchObject({ value: "first-canary", __secret: ["/value"] });
  const changed = { ...news, value: "second-canary" };
  expect(await lifecycle.diff("Secret", made.id, read.props, news, config)).toMatchObject({ changes: false });
  expect(await lifecycle.diff("Secret", made.id, read.props, changed, config)).toMatchObject({
    changes: true,
  });
  await server.forgetRequests();
  await lifecycle.update("Secret", made.id, read.props, changed, config);
  const writes = (await server.seen()).filter(({ method }) => method !== "GET");
  expect(writes).toHaveLength(1);
  await expect(create("Secret", changed)).rejects.toThrow(/has a secret PASSWORD already; set `adopt: true`/);
});

test("one that exists is imported by the path or the id of its owner, and a secret without its value", async () => {
  const { config, lifecycle, id, create } = await start();
  await create("Variable", { job: id, key: "A", value: "1" });
  await create("Secret", { job: id, key: "PASSWORD", value: "canary" });
  for (const owner of ["job:shop/staging/nightly", `job:${id}`]) {
    const found = await lifecycle.find("Variable", `${owner}/A`, config);
    expect(found).toMatchObject({ id: `${id}/A`, inputs: { job: id, key: "A", value: "1" } });
    const { props, inputs = {} } = found;
    expect(await lifecycle.diff("Variable", found.id, props, inputs, config)).toMatchObject({
      changes: false,
    });
    const secret = await lifecycle.find("Secret", `${owner}/PASSWORD`, config);
    expect(secret.inputs).toMatchObject({ job: id, key: "PASSWORD" });
    expect(JSON.stringify(secret)).not.toContain("canary");
    expect(await lifecycle.find("Variable", `${owner}/PASSWORD`, config)).toMatchObject({ id: "" });
    expect(await lifecycle.find("Variable", `${owner}/NONE`, config)).toMatchObject({ id: "" });
  }
  await expect(lifecycle.find("Variable", "A", config)).rejects.toThrow("job:shop/staging/nightly/KEY");
});

test("one that exists is taken over only if the program says so", async () => {
  const { server, config, lifecycle, id, entries, create } = await start();
  const other = { key: "A", value: "1", is_secret: false, variable_scope: "JOB", variable_parent_id: id };
  await server.api("POST", "/variable", other);
  await expect(create("Variable", { job: id, key: "A", value: "2" })).rejects.toThrow(
    'the Job "nightly" has a variable A already; set `adopt: true` to take it over, or take it out of the input `variables` or the other resource that states it',
  );
  const { outs } = await create("Variable", { job: id, key: "A", value: "2", adopt: true });
  expect(await entries()).toMatchObject([{ key: "A", value: "2" }]);
  await lifecycle.remove("Variable", `${id}/A`, outs, config);
});

test.each(["Variable", "Secret"])(
  "a %s in whose creation the engine was killed is continued by the next up, for this resource of the program only",
  async (kind) => {
    const { config, id, entries, server } = await start();
    const cache = await mkdtemp(join(tmpdir(), "infrasync-begun-"));
    onTestFinished(() => rm(cache, { recursive: true }));
    const news = { job: id, key: "A", value: "1" };
    const up = (urn: string) =>
      new Lifecycle({ INFRASYNC_CACHE: cache }, () => {}).create(kind, news, config, urn);
    const killed = { method: "POST", path: "/variable", status: 500, carry_out: true, times: 1 };
    await server.api("POST", "/_emulator/faults", [killed]);
    // The state of the stack never gets its result.
    await up("urn of A");
    await expect(up("urn of another")).rejects.toThrow(/already; set `adopt: true`/);
    expect(await up("urn of A")).toMatchObject({ id: `${id}/A`, outs: { value: "1" } });
    expect(await entries()).toMatchObject([{ key: "A" }]);
    // Once the state has it, no creation takes it over.
    const lifecycle = new Lifecycle({ INFRASYNC_CACHE: cache }, () => {});
    const { outs } = await up("urn of A");
    await lifecycle.diff(kind, `${id}/A`, outs, news, config, "urn of A");
    await expect(up("urn of A")).rejects.toThrow(/already; set `adopt: true`/);
  },
);

test("mistakes are reported by the check, at their inputs", async () => {
  const { server, environment, lifecycle, id } = await start();
  const mistakes = async (kind: string, news: Properties) =>
    (await lifecycle.check(kind, { key: "A" }, news, undefined)).failures;
  expect(await mistakes("Variable", { key: "A", value: "1" })).toEqual([
    { property: "", reason: expect.stringContaining("needs its owner: the id of the project") },
  ]);
  expect(await mistakes("Variable", { job: id, environment, key: "A", value: "1" })).toEqual([
    { property: "environment", reason: expect.stringContaining("exclude each other") },
  ]);
  expect(await mistakes("Variable", { job: id, key: "1A", value: "1" })).toEqual([
    { property: "key", reason: expect.stringContaining('"1A" cannot be a key') },
  ]);
  expect(await mistakes("Variable", { job: id, key: "A", value: "1", aliasOf: "B" })).toEqual([
    { property: "aliasOf", reason: expect.stringContaining("value and aliasOf exclude each other") },
  ]);
  expect(await mistakes("Variable", { job: id, key: "A" })).toEqual([
    {
      property: "key",
      reason: expect.stringContaining("the Variable of a Job is empty; state value or file or aliasOf"),
    },
  ]);
  expect(await mistakes("Variable", { environment, key: "A", from: "database:x", output: "port" })).toEqual(
    ["from", "output"].map((property) => ({
      property,
      reason: expect.stringContaining(
        `the Variable of an Environment has no member "${property}"; it may have: value`,
      ),
    })),
  );
  expect(await mistakes("Variable", { job: id, key: "A", vlaue: "1" })).toEqual([
    {
      property: "vlaue",
      reason: expect.stringContaining('a Variable has no input "vlaue"; did you mean value'),
    },
  ]);
  expect(await mistakes("Variable", { owner: id, job: id, key: "A", value: "1" })).toEqual([
    { property: "job", reason: expect.stringContaining("exclude each other") },
  ]);
  expect(await mistakes("Variable", { owner: id, key: "1A", value: "1" })).toEqual([
    { property: "key", reason: expect.stringContaining('"1A" cannot be a key') },
  ]);
  expect(await mistakes("Secret", { owner: "nightly", key: "A", value: "canary" })).toEqual([
    { property: "owner", reason: expect.not.stringContaining("canary") },
  ]);
  expect(await mistakes("Variable", { owner: unknownValue, key: unknownValue, value: unknownValue })).toEqual(
    [],
  );
  expect(await mistakes("Variable", { job: unknownValue, key: unknownValue, value: unknownValue })).toEqual(
    [],
  );
  expect(await server.seen()).toEqual([]);
});

test.each(["Variable", "Secret"])("a %s whose owner is something that has none is refused", async (kind) => {
  const { server, config, lifecycle, environment, entries, create } = await start();
  const stage = { environment, name: "late" };
  const { id } = await lifecycle.create("DeploymentStage", stage, config, "urn of the stage");
  await server.forgetRequests();
  const news = { owner: id, key: "A", value: "1" };
  const sort = kind === "Variable" ? "variables" : "secrets";
  const { failures } = await lifecycle.check(kind, {}, news, config);
  expect(failures).toEqual([
    { property: "owner", reason: `owner is the id of a DeploymentStage, which has no ${sort}` },
  ]);
  expect(await server.seen()).toEqual([]);
  // A program that does not know it learns so from the server.
  const other = new Lifecycle({}, () => {});
  await expect(other.create(kind, news, config, "urn A")).rejects.toThrow(
    `there is no project, environment or service with the id ${id}`,
  );
  await expect(create(kind, { ...news, owner: "late" })).rejects.toThrow("owner");
  expect(await entries()).toEqual([]);
});

test("an ignored input keeps the value of others when another input changes", async () => {
  const { server, config, lifecycle, id, entries, create } = await start();
  const news = { job: id, key: "A", value: "1", description: "first", __ignored: ["value"] };
  const { outs } = await create("Variable", news);
  const [{ id: variable } = {}] = await entries();
  await server.api("PUT", `/variable/${String(variable)}`, {
    key: "A",
    value: "by hand",
    description: "first",
  });
  const fresh = new Lifecycle({}, () => {});
  const { props } = await fresh.read("Variable", `${id}/A`, outs, config);
  expect(await lifecycle.diff("Variable", `${id}/A`, props, news, config)).toMatchObject({ changes: false });
  const changed = { ...news, description: "second" };
  await fresh.update("Variable", `${id}/A`, props, changed, config);
  expect(await entries()).toMatchObject([{ value: "by hand", description: "second" }]);
});

test("removing a variable with aliases needs a consent, and a protected resource loses no variable", async () => {
  const { config, lifecycle, id, environment, create } = await start();
  const { outs } = await create("Variable", { environment, key: "BASE", value: "1" });
  await create("Variable", { job: id, key: "ALIAS", aliasOf: "BASE" });
  await expect(lifecycle.remove("Variable", `${environment}/BASE`, outs, config)).rejects.toThrow(
    /would lose .*ALIAS/,
  );
  const guarded = { get: (key: string) => (key === "infrasync:protect" ? "shop/**" : config.get(key)) };
  await expect(lifecycle.remove("Variable", `${environment}/BASE`, outs, guarded)).rejects.toThrow(
    /the variable BASE of environment:shop\/staging cannot be deleted: .* protected by the pattern "shop\/\*\*"/,
  );
});

// An entry has one owner in a program: a resource of its own, or the resource that has it.

const urn = (kind: string, name: string) => `urn:pulumi:dev::shop::infrasync:index:${kind}::${name}`;

test.each([
  ["Secret", { value: "s3cret" }],
  ["Variable", { value: "1" }],
])("a %s that gets another name in the program, and is taken over, stays", async (kind, stated) => {
  const { config, lifecycle, id, entries } = await start();
  const news = { job: id, key: "KEY", ...stated };
  const { outs } = await lifecycle.create(kind, news, config, urn(kind, "s1"));
  const next = new Lifecycle({}, () => {});
  await next.create(kind, { ...news, adopt: true }, config, urn(kind, "s2"));
  await next.remove(kind, `${id}/KEY`, outs, config, urn(kind, "s1"));
  expect(await entries()).toMatchObject([{ key: "KEY" }]);
  const last = new Lifecycle({}, () => {});
  await last.remove(kind, `${id}/KEY`, outs, config, urn(kind, "s2"));
  expect(await entries()).toEqual([]);
});

test("two resources for one variable are refused, with the name of the other, and the removal of one leaves the other", async () => {
  const { config, lifecycle, id, entries } = await start();
  const news = { job: id, key: "KEY", value: "1" };
  const { outs } = await lifecycle.create("Variable", news, config, urn("Variable", "v1"));
  const ways: Properties[] = [{}, { adopt: true }];
  for (const more of ways)
    await expect(
      lifecycle.create("Variable", { ...news, ...more }, config, urn("Variable", "v2")),
    ).rejects.toThrow("v1 of this program states the variable KEY");
  // The inputs of its owner state no variable of another resource either.
  const owner = await lifecycle.find("Job", id, config);
  const stating = { ...owner.inputs, variables: { KEY: "2" } };
  await expect(
    lifecycle.diff("Job", id, owner.props, stating, config, urn("Job", "nightly")),
  ).rejects.toThrow(
    "v1 of this program states the variable or secret KEY of the same owner; remove it from one of the two",
  );
  // A state of an earlier version may have both.
  const next = new Lifecycle({}, () => {});
  await next.diff("Variable", `${id}/KEY`, outs, news, config, urn("Variable", "v1"));
  await next.remove("Variable", `${id}/KEY`, outs, config, urn("Variable", "v2"));
  expect(await entries()).toMatchObject([{ key: "KEY", value: "1" }]);
});

test("a secret that moves into the secrets of its job stays", async () => {
  const { config, lifecycle, id, environment, entries } = await start();
  const { outs } = await lifecycle.create(
    "Secret",
    { job: id, key: "KEY", value: "s3cret" },
    config,
    urn("Secret", "s"),
  );
  const inputs = { environment, name: "nightly", adopt: true };
  const before = await lifecycle.create("Job", inputs, config, urn("Job", "nightly"));
  const next = new Lifecycle({}, () => {});
  const moved = { ...inputs, secrets: { KEY: "s3cret" } };
  await next.diff("Job", id, before.outs, moved, config, urn("Job", "nightly"));
  await next.update("Job", id, before.outs, moved, config);
  await next.remove("Secret", `${id}/KEY`, outs, config, urn("Secret", "s"));
  expect(await entries()).toMatchObject([{ key: "KEY", is_secret: true }]);
});

test("a variable that the inputs of its job state is not created as a resource of its own", async () => {
  const { config, lifecycle, id, environment } = await start();
  const inputs = { environment, name: "nightly", adopt: true, variables: { KEY: "1" } };
  await lifecycle.create("Job", inputs, config, urn("Job", "nightly"));
  await expect(
    lifecycle.create(
      "Variable",
      { job: id, key: "KEY", value: "2", adopt: true },
      config,
      urn("Variable", "v"),
    ),
  ).rejects.toThrow("nightly of this program states the variable KEY");
});

test.each(["adopt", "adoptId"])(
  "a job that %s takes over writes over no key of another resource",
  async (way) => {
    const { config, lifecycle, id, environment, entries } = await start();
    const own = { job: id, key: "KEY", value: "1" };
    await lifecycle.create("Variable", own, config, urn("Variable", "v"));
    const inputs = { environment, name: "nightly", [way]: way === "adopt" || id, variables: { KEY: "2" } };
    await expect(lifecycle.create("Job", inputs, config, urn("Job", "nightly"))).rejects.toThrow(
      "v of this program states the variable or secret KEY of the same owner; remove it from one of the two",
    );
    expect(await entries()).toMatchObject([{ key: "KEY", value: "1" }]);
  },
);

test.each(["first", "last"])(
  "a variable that was imported stays when its job states it no more (compared %s)",
  async (when) => {
    const { config, lifecycle, id, environment, entries } = await start();
    const inputs = { environment, name: "nightly", adopt: true };
    const stating = { ...inputs, variables: { KEY: "1" } };
    const { outs } = await lifecycle.create("Job", stating, config, urn("Job", "nightly"));
    const imported = await lifecycle.find("Variable", `job:${id}/KEY`, config);
    const next = new Lifecycle({}, () => {});
    const compared = async () => {
      const { props, inputs: own = {} } = imported;
      const { changes } = await next.diff("Variable", imported.id, props, own, config, urn("Variable", "v"));
      if (changes) await next.update("Variable", imported.id, props, own, config);
    };
    if (when === "first") await compared();
    await next.diff("Job", id, outs, inputs, config, urn("Job", "nightly"));
    await next.update("Job", id, outs, inputs, config);
    if (when === "last") await compared();
    expect(await entries()).toMatchObject([{ key: "KEY", value: "1" }]);
  },
);

test.each([
  ["variables", "secrets"],
  ["secrets", "variables"],
])("a key moves from the %s of a job to its %s", async (before, after) => {
  const { config, lifecycle, id, environment, entries } = await start({
    "infrasync:allowLosses": "job:shop/staging/nightly",
  });
  const inputs = { environment, name: "nightly", adopt: true };
  const stating = { ...inputs, [before]: { KEY: "1" } };
  const { outs } = await lifecycle.create("Job", stating, config, urn("Job", "nightly"));
  const next = new Lifecycle({}, () => {});
  const news = { ...inputs, [after]: { KEY: "2" } };
  await next.diff("Job", id, outs, news, config, urn("Job", "nightly"));
  await next.update("Job", id, outs, news, config);
  expect(await entries()).toMatchObject([{ key: "KEY", is_secret: after === "secrets" }]);
});

test("one 404 for the owner neither deletes a variable nor takes it out of the state", async () => {
  const { server, config, id, entries, create } = await start();
  const { outs } = await create("Variable", { job: id, key: "KEY", value: "1" });
  const fault = [{ method: "GET", path: "/job/*", status: 404, times: 1 }];
  await server.api("POST", "/_emulator/faults", fault);
  const read = await new Lifecycle({}, () => {}).read("Variable", `${id}/KEY`, outs, config);
  expect(read).toMatchObject({ id: `${id}/KEY`, props: { value: "1" } });
  await server.api("POST", "/_emulator/faults", fault);
  await new Lifecycle({}, () => {}).remove("Variable", `${id}/KEY`, outs, config);
  expect(await entries()).toEqual([]);
  const gone = new Lifecycle({}, () => {}).read("Variable", `${id}/KEY`, outs, config);
  expect(await gone).toEqual({ id: "", props: {} });
});
