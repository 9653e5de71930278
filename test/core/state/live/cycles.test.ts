import { beforeEach, expect, onTestFinished, test } from "vitest";
import { formatAddress, LiveStore, type Plan, startRun } from "../../../../core/index.ts";
import { propose } from "../../../../core/execution/session/index.ts";
import { SecretReader } from "../../../../core/secrets/index.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { applyApproved, Harness, summary } from "../../../fixtures/harness.ts";
import { desiredOf } from "../../../fixtures/desired.ts";

let server: Harness;
let live: LiveStore;

beforeEach(async () => {
  server = await Harness.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  live = new LiveStore();
});

/** The actions of a cycle and its requests, without ids. */
interface Cycle {
  plan: Plan;
  planning: string[];
  applying: string[];
  spent: number;
}

/** One cycle of plan and apply, as a separate run on the shared store. */
async function cycle(
  text: string,
  policy: Partial<typeof openPolicy> = {},
  failures: string[] = [],
): Promise<Cycle> {
  const secrets = new SecretReader({ environment: { A_TOKEN: "s3cret" }, allowCommands: false });
  const limits = { clone: 5_000, deletion: 5_000, busy: 5_000 };
  const run = { ...startRun(server.client, { live, limits }), secrets };
  const requests = async () => {
    const seen = await server.seen();
    await server.forgetRequests();
    return seen
      .map(({ method, path }) => `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "{id}")}`)
      .toSorted();
  };
  await server.forgetRequests();
  const { resources } = desiredOf(text);
  const { plan } = await propose(run, server.organization, "reconcile", resources, {
    ...openPolicy,
    ...policy,
  });
  expect(plan.problems).toEqual([]);
  const planning = await requests();
  const report = await applyApproved(plan, run);
  const failed = report.outcomes.filter(({ status }) => status !== "done");
  expect(failed.map(({ address }) => formatAddress(address))).toEqual(failures);
  return { plan, planning, applying: await requests(), spent: report.spent.total };
}

const production = `
---
kind: Environment
project: shop
name: production
mode: PRODUCTION
`;
const text = `${shop}${job("a")}${job("b")}${production}${job("c", "", "shop/production")}`;
/** Requested when a document declares a registry by a name that no live resource has. */
const registries = "GET /organization/{id}/containerRegistry";
const lists = [
  "GET /environment/{id}/services",
  "GET /environment/{id}/services",
  "GET /organization/{id}/project",
  "GET /project/{id}/environment",
];

test("a second cycle sends no request for known state, and one for each forgotten item", async () => {
  await server.reconcile(text);
  expect((await cycle(text)).planning).toEqual(lists);
  expect((await cycle(text)).planning).toEqual([]);

  live.forget({ parentId: await server.idOf("shop/staging") });
  expect((await cycle(text)).planning).toEqual(["GET /environment/{id}/services"]);

  live.forget({ id: await server.idOf("shop/staging") });
  expect((await cycle(text)).planning).toEqual([
    "GET /environment/{id}/services",
    "GET /project/{id}/environment",
  ]);

  live.forgetAll();
  expect((await cycle(text)).planning).toEqual(lists);
});

test("after creations a cycle reads nothing: the answers show all that is there", async () => {
  const first = await cycle(text);
  expect(first.planning).toEqual([
    "GET /organization/{id}/cluster",
    "GET /organization/{id}/containerRegistry",
    "GET /organization/{id}/events",
    "GET /organization/{id}/project",
  ]);
  expect(first.applying).toHaveLength(6);
  // The responses to the creations show all, and what was created from nothing had nothing in it.
  const second = await cycle(text);
  expect(second.planning).toEqual([]);
  expect(summary(second.plan)).toEqual([]);
});

test("the next plan knows the responses of an update, a rename, a creation, a clone and a deletion", async () => {
  const prunes = text.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
  await server.reconcile(prunes + job("gone"));
  const without = { prune: true };
  await cycle(prunes, without).then(({ plan }) =>
    expect(summary(plan)).toEqual(["delete job:shop/staging/gone"]),
  );
  const changed =
    prunes
      .replace("name: a\n", "name: a2\nmanage: { renamed_from: a }\n")
      .replace("name: b\n", "name: b\nmemory: 640\n") +
    job("new") +
    "---\nkind: Job\nenvironment: shop/staging\nname: copy\nclone: { from: shop/production/c }\n";
  const { plan, planning, applying } = await cycle(changed, without);
  expect(summary(plan).map((line) => line.split(":")[0])).toEqual([
    "update job",
    "update job",
    "create job",
    "clone job",
  ]);
  expect(planning).toEqual([registries]);
  expect(applying.filter((request) => request.startsWith("PUT"))).toHaveLength(2);

  const again = await cycle(changed, without);
  expect([again.planning, summary(again.plan)]).toEqual([[], []]);
  // The store knows the same as a list of the server would contain.
  const known = live.known().contents.get(await server.idOf("shop/staging"));
  const listed = await server.results(`/environment/${await server.idOf("shop/staging")}/services`);
  const byId = (one: { id?: unknown }, other: { id?: unknown }) =>
    String(one.id) < String(other.id) ? -1 : 1;
  expect(known?.resources.map(({ response }) => response).toSorted(byId)).toEqual(listed.toSorted(byId));
});

test("an update reads its resource again, whatever the store knows", async () => {
  await server.reconcile(text);
  await cycle(text);
  await server.reconcile(text.replace("name: a\n", "name: a\ndescription: changed by another\n"));
  const { planning, applying } = await cycle(text.replace("name: a\n", "name: a\ncpu: 750\n"));
  expect([planning, applying]).toEqual([[], ["GET /job/{id}", "PUT /job/{id}"]]);
  expect((await server.everything()).get("shop/staging/JOB a")).toMatchObject({
    cpu: 750,
    description: "changed by another",
  });
});

test("after a write with an unexpected result the contents of its parent are read again", async () => {
  await server.reconcile(text);
  await cycle(text);
  // The run that has read the events reads no more of them. Then another client creates it, and the run finds it.
  await cycle(text + job("first"));
  await server.reconcile(text + job("first") + job("new"));
  const { plan, planning } = await cycle(text + job("first") + job("new"));
  expect([planning, summary(plan)]).toEqual([[], ["create job:shop/staging/new"]]);
  const next = await cycle(text + job("first") + job("new"));
  expect([next.planning, summary(next.plan)]).toEqual([["GET /environment/{id}/services"], []]);
});

test("after a creation whose answer was lost the contents of its parent are read again", async () => {
  await server.reconcile(text);
  await cycle(text);
  const fault = { method: "POST", path: "/environment/*/job", drop: "after", times: 1 };
  await server.api("POST", "/_emulator/faults", [fault]);
  const { plan } = await cycle(text + job("new"));
  expect(summary(plan)).toEqual(["create job:shop/staging/new"]);
  const next = await cycle(text + job("new"));
  expect([next.planning, summary(next.plan)]).toEqual([["GET /environment/{id}/services"], []]);
});

test("a variable whose alias has lost its target since the plan is a failure with a code of its own", async () => {
  await server.reconcile(text);
  const target = {
    key: "TARGET",
    value: "x",
    is_secret: false,
    variable_scope: "JOB",
    variable_parent_id: await server.idOf("shop/staging/JOB a"),
  };
  const { id } = (await server.api("POST", "/variable", target)) as { id: string };
  const { resources } = desiredOf(
    text.replace("name: a\n", "name: a\nvariables: { OTHER: { alias_of: TARGET } }\n"),
  );
  const run = startRun(server.client, { live, limits: { clone: 5_000, deletion: 5_000, busy: 5_000 } });
  const { plan } = await propose(run, server.organization, "reconcile", resources, openPolicy);
  expect(plan.problems).toEqual([]);
  await server.api("DELETE", `/variable/${id}`);
  const report = await applyApproved(plan, run);
  expect(report.outcomes.filter(({ status }) => status !== "done")).toMatchObject([
    { code: "missing_part", message: "the variable OTHER needs the variable TARGET, which does not exist" },
  ]);
});

test("after a failed write the contents of its parent are read again", async () => {
  await server.reconcile(text);
  await cycle(text);
  const cpu = text.replace("name: a\n", "name: a\ncpu: 750\n");
  await server.api("POST", "/_emulator/faults", [{ method: "PUT", path: "/job/*", status: 400, times: 1 }]);
  await cycle(cpu, {}, ["job:shop/staging/a"]);
  expect((await cycle(cpu)).planning).toEqual(["GET /environment/{id}/services"]);
});

const withParts = (level: string, rest = "") =>
  `${shop}variables: { REGION: eu }
${job("a", `variables: { LEVEL: ${level}, OLD: null${rest} }`)}${job("b", "variables: { LEVEL: info }")}`;

/** The lists of variables that the store knows, and those of the server, each in the order of the ids. */
async function knownAndListed(): Promise<unknown[][]> {
  const byId = (one: { id?: unknown }, other: { id?: unknown }) =>
    String(one.id) < String(other.id) ? -1 : 1;
  const known = [...live.known().parts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const listed = await Promise.all(
    known.map(async ([key]) => {
      const [path, query] = JSON.parse(key) as [string, Record<string, string>];
      const upper = { ...query, scope: String(query["scope"]).toUpperCase() };
      return server.results(`${path}?${new URLSearchParams(upper).toString()}`);
    }),
  );
  return [
    known.map(([, entries]) => entries.toSorted(byId)),
    listed.map((entries) => entries.toSorted(byId)),
  ];
}

test("the next plan knows the responses to a changed, a new and a removed variable, and to a secret", async () => {
  await server.reconcile(withParts("info").replace("OLD: null", "OLD: x"));
  const declared = withParts("debug", ", NEW: y").replace(
    "variables: { LEVEL: debug",
    "secrets: { TOKEN: { from_env: A_TOKEN } }\nvariables: { LEVEL: debug",
  );
  const first = await cycle(declared);
  expect(first.planning).toEqual([
    "GET /environment/{id}/services",
    "GET /organization/{id}/project",
    "GET /project/{id}/environment",
    "GET /variable",
    "GET /variable",
    "GET /variable",
  ]);
  // The answer to a deletion does not show that the variable is gone: the list does.
  expect(first.applying).toEqual([
    "DELETE /variable/{id}",
    "GET /variable",
    "GET /variable",
    "POST /variable",
    "POST /variable",
    "PUT /variable/{id}",
  ]);
  const second = await cycle(declared);
  expect([second.planning, summary(second.plan)]).toEqual([[], []]);
  const [known, listed] = await knownAndListed();
  expect(known).toHaveLength(3);
  expect(known).toEqual(listed);
});

test("after an import, whose response has no ids, and after a failure the variables are read again", async () => {
  await server.reconcile(withParts("info"));
  await cycle(withParts("info"));
  const imported = withParts("info", ", ONE: x, TWO: y");
  expect((await cycle(imported)).applying).toContain("POST /variable/import");
  const second = await cycle(imported);
  expect([second.planning, summary(second.plan)]).toEqual([["GET /variable"], []]);

  await server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/variable/*", status: 400, times: 1 },
  ]);
  const changed = imported.replace("LEVEL: info", "LEVEL: debug");
  await cycle(changed, {}, ["job:shop/staging/a"]);
  expect((await cycle(changed)).planning).toEqual(["GET /variable"]);
  expect((await cycle(changed)).planning).toEqual([]);
});

test("after a change of a variable of an environment the variables of its services are read again", async () => {
  await server.reconcile(withParts("info"));
  await cycle(withParts("info"));
  const declared = withParts("info").replace("REGION: eu", "REGION: us");
  expect((await cycle(declared)).applying).toEqual(["GET /variable", "PUT /variable/{id}"]);
  expect((await cycle(declared)).planning).toEqual(["GET /variable", "GET /variable"]);
  const [known, listed] = await knownAndListed();
  expect(known).toEqual(listed);
});

test("an alias of a variable that is new too needs no list: the response has its id", async () => {
  await server.reconcile(withParts("info"));
  const declared = withParts("info", ", NEW: x, OTHER: { alias_of: NEW }");
  expect((await cycle(declared)).applying).toEqual([
    "GET /variable",
    "POST /variable",
    "POST /variable/{id}/alias",
  ]);
  expect((await cycle(declared)).planning).toEqual([]);
  const [known, listed] = await knownAndListed();
  expect(known).toEqual(listed);
});

test("each run on one client counts its own requests, under its own limit", async () => {
  await server.reconcile(text);
  const first = await cycle(text);
  expect([first.plan.spent, first.spent]).toEqual([4, 4]);
  live.forgetAll();
  const second = await cycle(text);
  expect([second.plan.spent, second.spent]).toEqual([4, 4]);

  const { resources } = desiredOf(text);
  for (let run = 0; run < 2; run += 1) {
    const three = startRun(server.client, { maxRequests: 3 });
    await expect(
      propose(three, server.organization, "reconcile", resources, openPolicy),
    ).rejects.toMatchObject({ code: "quota" });
    expect(three.client.spent.total).toBe(3);
  }
});
