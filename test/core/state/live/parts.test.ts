import { beforeEach, expect, onTestFinished, test } from "vitest";
import { kindOf, LiveStore, startRun } from "../../../../core/index.ts";
import { isFields, textIn } from "../../../../core/values/json.ts";
import { defineKind } from "../../../../core/model/kinds/kind.ts";
import { hashesIn } from "../../../../core/state/live/cache-files/mask.ts";
import type { Part } from "../../../../core/model/parts/index.ts";
import { keyed, wholeNumber } from "../../../../core/model/schema/field.ts";
import { writeParts } from "../../../../core/operations/parts.ts";
import { cronJob, job, lifecycleJob, shop } from "../../../fixtures/manifests.ts";
import { Harness, summary } from "../../../fixtures/harness.ts";

let server: Harness;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
});

test("a replacement of a job with stated variables reads its list of variables once", async () => {
  await server.reconcile(shop + cronJob("a", "variables: { LEVEL: info }\n"));
  await server.forgetRequests();
  const plan = await server.plan(shop + lifecycleJob("a", "variables: { LEVEL: debug }\n"));
  expect(summary(plan)[0]).toMatch(/^replace job:shop\/staging\/a/);
  expect((await server.seen()).filter(({ path }) => path.startsWith("/variable"))).toHaveLength(1);
});

test("what the platform says of a service is kept once, however many lists of siblings have it", async () => {
  const containers = ["a", "b", "c"].map(
    (name) => `---
kind: Container
environment: shop/staging
name: ${name}
image_name: acme/api
tag: 1.0.0
registry: docker-hub
ports: [{ internal_port: 8080, external_port: 443, publicly_accessible: true, protocol: HTTP }]
`,
  );
  await server.reconcile(shop + containers.join(""));
  const kind = kindOf("Container");
  const live = new LiveStore();
  const variables = kind.parts.filter(({ member }) => member === "variables");
  const lists = await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      const owner = { kind, id: await server.idOf(`shop/staging/CONTAINER ${name}`), parentId: "" };
      return (await live.partsOf(server.client, owner, variables)) ?? [];
    }),
  );
  const entries = lists.flat().map(({ response }) => response);
  expect(entries.length).toBeGreaterThan(3 * 3);
  expect(new Set(entries).size).toBe(new Set(entries.map(({ id }) => id)).size);
});

/** The advanced settings of a job: the server answers with one object and no list. */
const settings: Part = {
  name: "advanced setting",
  member: "advanced_settings",
  listing: (id) => ({
    path: `/job/${id}/advancedSettings`,
    entriesIn: (answer) => Object.entries(answer).map(([name, value]) => ({ name, value })),
  }),
  keyOf: (entry) => textIn(entry, "name"),
  isOwn: () => true,
  form: {
    schema: keyed({ pattern: "", message: "", advice: "" }, wholeNumber(""), "Advanced settings."),
    declaredAs: (entry) => entry["value"] ?? null,
    needs: () => [],
    // One request has all settings: those that change, and those that stay.
    nextRequest(id, changes, listed) {
      if (changes.length === 0) return undefined;
      const before = Object.fromEntries(listed.map(({ key, response }) => [key, response["value"] ?? null]));
      const changed = Object.fromEntries(changes.map(({ key, desired }) => [key, desired ?? null]));
      const { entriesIn } = settings.listing(id, "parent");
      return {
        method: "PUT",
        path: settings.listing(id, "parent").path,
        body: { ...before, ...changed },
        keys: changes.map(({ key }) => key),
        listedAfter: (answer) => (isFields(answer) ? entriesIn?.(answer) : undefined),
      };
    },
  },
};

test("parts with plain values, which one request replaces, are written and known without another read", async () => {
  await server.reconcile(shop + job("a"));
  const kind = defineKind({ ...kindOf("Job"), parts: [settings] });
  const owner = { kind, id: await server.idOf("shop/staging/JOB a"), parentId: "" };
  const live = new LiveStore();
  const context = startRun(server.client, { live });
  const before = await live.partsOf(server.client, owner, [settings]);
  await server.forgetRequests();
  const declared = { advanced_settings: { "build.timeout_max_sec": 60, "build.ram_max_in_gib": 4 } };
  const written = await writeParts(context, owner, declared);
  expect(written?.isChanged).toBe(true);
  const after = await live.partsOf(server.client, owner, [settings]);
  expect((await server.seen()).map(({ method }) => method)).toEqual(["GET", "PUT"]);
  const valuesOf = (entries: typeof after) =>
    Object.fromEntries((entries ?? []).map(({ key, response }) => [key, response["value"]]));
  expect(valuesOf(after)).toEqual({ ...valuesOf(before), ...declared.advanced_settings });
  expect(await server.api("GET", settings.listing(owner.id, "parent").path)).toEqual(valuesOf(after));
});

test("a planned change of variables reads no list of other parts that the document declares", async () => {
  await server.reconcile(shop + job("a", "variables: { LEVEL: info }"));
  const kind = defineKind({ ...kindOf("Job"), parts: [settings, ...kindOf("Job").parts] });
  const owner = { kind, id: await server.idOf("shop/staging/JOB a"), parentId: "" };
  const declared = {
    variables: { LEVEL: { value: "debug" } },
    advanced_settings: { "build.timeout_max_sec": 60 },
  };
  const planned = [{ path: ["variables", "LEVEL"], before: "info", after: "debug" }];
  await server.forgetRequests();
  await writeParts(startRun(server.client), owner, declared, { planned });
  const paths = (await server.seen()).map(({ method, path }) => `${method} ${path.split("/")[1] ?? ""}`);
  expect(paths).toEqual(["GET variable", "PUT variable"]);
});

test("parts whose listing is one object are its members", async () => {
  await server.reconcile(shop + job("a"));
  const owner = { kind: kindOf("Job"), id: await server.idOf("shop/staging/JOB a"), parentId: "" };
  await server.forgetRequests();
  const live = new LiveStore();
  const parts = [settings, ...owner.kind.parts.filter(({ form }) => !form?.isSingle)];
  await live.partsOf(server.client, owner, [settings]);
  const entries = await live.partsOf(server.client, owner, parts);
  expect(entries?.find(({ key }) => key === "cronjob.concurrency_policy")?.response).toMatchObject({
    value: expect.any(String),
  });
  const paths = (await server.seen()).map(({ path }) => path.replace(owner.id, "{id}"));
  expect(paths).toEqual(["/job/{id}/advancedSettings", "/variable", "/job/{id}/deploymentRestriction"]);
  expect(
    await live.partsOf(server.client, { ...owner, id: crypto.randomUUID() }, [settings]),
  ).toBeUndefined();
});

test("a response with the value of a secret is not kept", () => {
  const secrets = kindOf("Job").parts.find(({ member }) => member === "secrets");
  const desired = { value: "s3cret" };
  const request = secrets?.form?.nextRequest("id", [{ key: "TOKEN", desired }], [], "parent");
  const answer = {
    id: "1",
    created_at: "2026-01-01T00:00:00Z",
    key: "TOKEN",
    value: null,
    scope: "JOB",
    variable_type: "VALUE",
    is_secret: true,
  };
  expect(request?.listedAfter?.(answer, [])).toEqual([answer]);
  expect(request?.listedAfter?.({ ...answer, value: "s3cret" }, [])).toBeUndefined();
});

test("hashes are found in a plan of thousands of actions, whose text would be too long", () => {
  const kind = { description: "x".repeat(50_000), member: "\0in-a-kind" };
  const actions = Array.from({ length: 20_000 }, (_, index) => ({
    address: { kind },
    message: index === 7 ? "before: \0hash_1, after: y" : "",
  }));
  expect(hashesIn([actions, { "\0key": true }])).toEqual(new Set(["\0in-a-kind", "\0hash_1", "\0key"]));
});
