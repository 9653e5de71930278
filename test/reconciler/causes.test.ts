import { describe, expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { withAdvice } from "../../cli/render/remedies.ts";
import { revertedText } from "../../reconciler/decide/index.ts";
import { environmentStatuses } from "../../reconciler/show/environment-statuses.ts";
import { noJournal } from "./cycle-words.ts";
import { type Bench, startBench } from "./fixture.ts";
import { endWith, showPage } from "./show/page-fixture.ts";

const prunable = (text: string) => text.replaceAll("mode:", "manage: { prune: true }\nmode:");
const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
const inProduction = (name: string, more = "") => job(name, more, "shop/production");
const files = {
  "infra/shop.yaml": prunable(shop + production),
  "infra/staging.yaml": job("a", "cpu: 500"),
  "infra/production.yaml": inProduction("a", "memory: 512"),
};

/** The writes and the deletions of a cycle, and how each environment stands. */
async function after(bench: Bench) {
  const { end, requests } = await bench.cycle();
  const states = Object.fromEntries((end.environments ?? []).map((each) => [each.environment, each.state]));
  return { end, states, writes: requests.filter((request) => !request.startsWith("GET ")) };
}

async function jobOf({ server }: Bench, name: string) {
  return (await server.everything()).get(name);
}

test("a commit in one environment sets back and deletes nothing that somebody has changed in another", async () => {
  const bench = await startBench({ prune: true });
  bench.repository.push(files);
  await bench.cycle();
  await bench.server.reconcile(
    shop + production + inProduction("a", "memory: 640") + inProduction("by-hand"),
  );
  bench.repository.push({ "infra/staging.yaml": job("a", "cpu: 750") });
  const found = await after(bench);
  expect(found).toMatchObject({
    end: { type: "applied" },
    states: { "shop/staging": "synced", "shop/production": "drift" },
    writes: ["PUT /job/{id}"],
  });
  expect(found.end.environments?.find(({ environment }) => environment === "shop/production")).toMatchObject({
    unmanaged: ["job:shop/production/by-hand"],
    changes: [{ address: "job:shop/production/a", cause: "drift", fields: ["memory 512 -> 640"] }],
  });
  expect(await jobOf(bench, "shop/production/JOB a")).toMatchObject({ memory: 640 });
  expect(await jobOf(bench, "shop/production/JOB by-hand")).toBeDefined();
  expect(await jobOf(bench, "shop/staging/JOB a")).toMatchObject({ cpu: 750 });
});

test.each([
  ["on_drift: report", "drift"],
  ["on_drift: off", "unwatched"],
  ["{ on_commit: report, on_drift: report }", "drift"],
])("with %s, what the next commit to a document reverts is said before the push", async (rules, state) => {
  const bench = await startBench();
  const policy = { "infra/infrasync.reconcile.yaml": rules };
  bench.repository.push({ ...policy, "infra/shop.yaml": shop + job("a", "cpu: 500\nmemory: 512") });
  await bench.cycle();
  if (rules.includes("on_commit")) await bench.server.reconcile(shop + job("a", "cpu: 500\nmemory: 512"));
  bench.clock.advance(61_000);
  await bench.cycle();
  await bench.server.reconcile(shop + job("a", "cpu: 500\nmemory: 640"));
  const { end } = await bench.cycle();
  const statuses = environmentStatuses(end.environments ?? [], {
    ...noJournal,
    services: end.services,
    describe: withAdvice,
    console: undefined,
    now: bench.clock.now(),
  });
  const status = statuses.find(({ name }) => name === "shop/staging");
  const { changes = [] } = status ?? {};
  expect(status).toMatchObject({ state });
  expect(changes).toMatchObject([
    { address: "job:shop/staging/a", fields: ["memory 512 -> 640"], reverted_by_commit: true },
  ]);
  const text = "The next commit that changes the document of job:shop/staging/a also reverts this drift";
  expect(revertedText(changes)).toBe(text);
  // The page says it, too.
  const page = await showPage();
  await page.ended(endWith(...(end.environments ?? [])));
  expect((await page.get("/")).text).toContain(`${text}.`);
  if (rules.includes("on_commit")) return;
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "cpu: 750\nmemory: 512") });
  await bench.cycle();
  expect(await jobOf(bench, "shop/staging/JOB a")).toMatchObject({ cpu: 750, memory: 512 });
});

test.each([
  ["a policy that applies drift", "on_drift: apply", { onDrift: "apply" as const }],
  ["a policy that applies no commit", "{ on_commit: off, on_drift: report }", {}],
])("with %s, no commit is said to revert anything", async (_what, rules, operator) => {
  const bench = await startBench({}, "admin", operator);
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "memory: 512") });
  await bench.cycle();
  bench.repository.push({ "infra/infrasync.reconcile.yaml": rules });
  await bench.cycle();
  await bench.server.reconcile(shop + job("a", "memory: 640"));
  const { end } = await bench.cycle();
  expect(JSON.stringify(end.environments)).not.toContain("reverted_by_commit");
});

test("in one environment, a commit does its part while drift is only reported", async () => {
  const bench = await startBench({ prune: true });
  bench.repository.push({ ...files, "infra/b.yaml": inProduction("b"), "infra/c.yaml": inProduction("c") });
  await bench.cycle();
  await bench.server.reconcile(shop + production + inProduction("a", "memory: 640"));
  bench.repository.push({ "infra/b.yaml": inProduction("b", "cpu: 750"), "infra/c.yaml": undefined });
  const found = await after(bench);
  expect(found).toMatchObject({ end: { type: "applied" }, states: { "shop/production": "drift" } });
  expect(found.writes.toSorted()).toEqual(["DELETE /job/{id}", "PUT /job/{id}"]);
  expect(await jobOf(bench, "shop/production/JOB a")).toMatchObject({ memory: 640 });
  expect(await jobOf(bench, "shop/production/JOB c")).toBeUndefined();
});

test("a commit of which only a deployment failed is applied as far as fields go: another change is drift", async () => {
  const bench = await startBench({ deploy: true });
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "memory: 512") + job("b") });
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", status: 403, times: 1 },
  ]);
  const { end } = await bench.cycle();
  expect(end.environments?.find(({ environment }) => environment === "shop/staging")).toMatchObject({
    state: "failed",
  });
  await bench.server.reconcile(shop + job("a", "memory: 640") + job("b"));
  bench.repository.push({ "infra/shop.yaml": shop + job("a", "memory: 512") + job("b", "cpu: 750") });
  await bench.cycle();
  expect(await jobOf(bench, "shop/staging/JOB a")).toMatchObject({ memory: 640 });
  expect(await jobOf(bench, "shop/staging/JOB b")).toMatchObject({ cpu: 750 });
});

test("in one environment, drift is set back while the commit waits, and the news name who had made it", async () => {
  const bench = await startBench({}, "admin", { onDrift: "apply" });
  const policy = "{ on_drift: apply, environments: { shop/production: { on_commit: report } } }";
  bench.repository.push({ ...files, "infra/b.yaml": inProduction("b") });
  await bench.cycle();
  await bench.server.reconcile(shop + production + inProduction("a", "memory: 640"));
  bench.repository.push({
    "infra/b.yaml": inProduction("b", "cpu: 750"),
    "infra/infrasync.reconcile.yaml": policy,
  });
  const found = await after(bench);
  expect(found).toMatchObject({
    end: { type: "partly" },
    states: { "shop/production": "waiting" },
    writes: ["PUT /job/{id}"],
  });
  const environmentState = found.end.environments?.find(
    ({ environment }) => environment === "shop/production",
  );
  expect(environmentState).toMatchObject({
    reason: "on_commit: report",
    changes: [{ address: "job:shop/production/b", cause: "commit" }],
    reverted: [{ address: "job:shop/production/a", cause: "drift", by: expect.stringContaining("API") }],
  });
  expect(await jobOf(bench, "shop/production/JOB a")).toMatchObject({ memory: 512 });
});

test("defaults, overlays and variables are a change of the commit where they change what is loaded", async () => {
  const bench = await startBench();
  bench.repository.push({ ...files, "infra/b.yaml": job("b", "memory: 700") });
  await bench.cycle();
  await bench.server.reconcile(
    shop + production + inProduction("a", "memory: 640") + job("b", "memory: 800"),
  );
  bench.repository.push({
    "infra/defaults.yaml": "kind: Defaults\nproject: shop\nfor: Job\nmemory: 600\ncpu: 300\n",
  });
  expect(await after(bench)).toMatchObject({
    states: { "shop/staging": "synced", "shop/production": "synced" },
  });
  // Each document declares another cpu now, so each is applied as a whole.
  expect(await jobOf(bench, "shop/staging/JOB b")).toMatchObject({ memory: 700, cpu: 300 });
  expect(await jobOf(bench, "shop/production/JOB a")).toMatchObject({ memory: 512, cpu: 300 });
});

test("a commit waits for drift that it needs, and says for what", async () => {
  const bench = await startBench();
  bench.repository.push(files);
  await bench.cycle();
  const id = await bench.server.idOf("shop/production");
  await bench.server.api("DELETE", `/environment/${id}`);
  bench.repository.push({ "infra/b.yaml": inProduction("b") });
  const found = await after(bench);
  expect(found).toMatchObject({ states: { "shop/production": "drift" }, writes: [] });
  expect(found.end.environments?.find(({ environment }) => environment === "shop/production")).toMatchObject({
    reason: "the commit waits: it needs environment:shop/production, which somebody else has changed",
  });
});

test("an environment whose own fields somebody has changed holds no commit back", async () => {
  const bench = await startBench();
  bench.repository.push({ ...files, "infra/shop.yaml": `${shop + production}variables: { LEVEL: info }\n` });
  await bench.cycle();
  await bench.server.reconcile(`${shop + production}variables: { LEVEL: debug }\n`);
  bench.repository.push({ "infra/b.yaml": inProduction("b") });
  const found = await after(bench);
  expect(found).toMatchObject({
    states: { "shop/production": "drift" },
    writes: ["POST /environment/{id}/job"],
  });
});

test("what a commit has written in part belongs to it when a later one takes it back", async () => {
  const bench = await startBench({ prune: true });
  bench.repository.push(files);
  await bench.cycle();
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "PUT", path: "/job/*", status: 400, times: 1 },
  ]);
  bench.repository.push({
    "infra/b.yaml": inProduction("b"),
    "infra/production.yaml": inProduction("a", "memory: 640"),
  });
  expect((await after(bench)).end.type).toBe("incomplete");
  bench.reconciler = bench.restart();
  bench.repository.push({
    "infra/b.yaml": undefined,
    "infra/production.yaml": files["infra/production.yaml"],
  });
  bench.clock.advance(60_000);
  expect(await after(bench)).toMatchObject({ end: { type: "applied" }, writes: ["DELETE /job/{id}"] });
});

test("an environment is not pruned while it contains what somebody else has made", async () => {
  const bench = await startBench({ prune: true });
  const pruning = shop.replace("name: shop\n", "name: shop\nmanage: { prune: [Environment] }\n");
  bench.repository.push({ "infra/shop.yaml": pruning + production, "infra/a.yaml": inProduction("a") });
  await bench.cycle();
  await bench.server.reconcile(shop + production + inProduction("by-hand"));
  bench.repository.push({ "infra/shop.yaml": pruning, "infra/a.yaml": undefined });
  expect(await after(bench)).toMatchObject({
    end: {
      type: "blocked",
      problems: [
        { code: "contents" },
        { code: "contents", message: expect.stringContaining("never declared") },
      ],
    },
    writes: [],
  });
});

test("with --deploy, a commit deploys what it changes, and nothing that somebody else has left undeployed", async () => {
  const bench = await startBench({ deploy: true });
  bench.repository.push({ ...files, "infra/b.yaml": inProduction("b") });
  await bench.cycle();
  bench.clock.advance(600_000);
  await bench.server.advance(600_000);
  await bench.cycle();
  const id = await bench.server.idOf("shop/production/JOB a");
  const live = await bench.server.api("GET", `/job/${id}`);
  await bench.server.api("PUT", `/job/${id}`, { ...(live as object), description: "manually" });
  bench.repository.push({ "infra/b.yaml": inProduction("b", "cpu: 750") });
  const found = await after(bench);
  const deployed = (found.end.enacted ?? []).flatMap(({ plan }) =>
    plan.actions.filter(({ type }) => type === "deploy").map(({ id: action }) => action),
  );
  expect(deployed).toEqual(["deploy job:shop/production/b"]);
});

describe("without a memory, a service that only reports drift", () => {
  const hotfix = shop + production + inProduction("a", "memory: 640");
  const lost = async (bench: Bench) => {
    bench.reconciler = bench.restart("empty");
    return after(bench);
  };
  const differs = { states: { "shop/production": "drift", "shop/staging": "synced" }, writes: [] };

  test.each<[name: string, happens: (bench: Bench) => Promise<void>, found: object]>([
    ["leaves what somebody has changed since the commit", async () => {}, differs],
    [
      "leaves what somebody has changed since the document was changed last, also where a later commit changes others",
      async ({ repository }) => {
        repository.push({ "infra/staging.yaml": job("a", "cpu: 750") });
      },
      { states: differs.states, writes: ["PUT /job/{id}"] },
    ],
    [
      "leaves what it cannot tell, because it may not read the events",
      async ({ server }) => {
        await server.api("POST", "/_emulator/faults", [
          { method: "GET", path: "/organization/*/events", status: 403 },
        ]);
      },
      differs,
    ],
    [
      "creates nothing again that somebody has deleted since the commit",
      async ({ server }) => {
        await server.api("DELETE", `/job/${await server.idOf("shop/production/JOB a")}`);
      },
      differs,
    ],
  ])("%s", async (_name, happens, found) => {
    const bench = await startBench();
    bench.repository.push(files);
    await bench.cycle();
    await bench.server.advance(5_000);
    await bench.server.reconcile(hotfix);
    await happens(bench);
    expect(await lost(bench)).toMatchObject(found);
    // From now on it remembers, and says who it was.
    expect((await after(bench)).states).toMatchObject(differs.states);
  });

  test("applies a document that is newer than what is live", async () => {
    const bench = await startBench();
    bench.repository.push(files);
    await bench.cycle();
    await bench.server.reconcile(hotfix);
    bench.repository.push({ "infra/production.yaml": inProduction("a", "memory: 700") });
    expect(await lost(bench)).toMatchObject({ end: { type: "applied" }, writes: ["PUT /job/{id}"] });
    expect(await jobOf(bench, "shop/production/JOB a")).toMatchObject({ memory: 700 });
  });
});
