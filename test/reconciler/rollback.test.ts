import { expect, test } from "vitest";
import { shop } from "../fixtures/manifests.ts";
import { onFailure } from "../../reconciler/decide/index.ts";
import { sentenceAfter } from "./cycle-words.ts";
import { type Bench, startBench } from "./fixture.ts";

const api = (tag: string, more = "") => `---
kind: Container
environment: shop/staging
name: api
registry: docker-hub
image_name: acme/api
tag: "${tag}"
${more}`;

/** A bench whose reconciler deploys, with a commit that is healthy. */
async function startHealthy(policy = "on_failure: rollback"): Promise<{ bench: Bench; healthy: string }> {
  const bench = await startBench(
    { deploy: true },
    "admin",
    { onDrift: "apply" },
    { behaviour: { deploy_delay_ms: 60_000 } },
  );
  const healthy = bench.repository.push({
    "infra/shop.yaml": shop + api("1"),
    "infra/infrasync.reconcile.yaml": policy,
  });
  await bench.cycle();
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({ state: "synced", tag: "1" });
  return { bench, healthy };
}

/** Lets deployments end, for the server and the reconciler. */
async function pass({ server, clock }: Bench): Promise<void> {
  await server.advance(60_000);
  clock.advance(60_000);
}

async function failNext({ server }: Bench, times = 1): Promise<void> {
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", times, fail_deployment: "image not found" },
  ]);
}

/** One cycle. */
async function refresh(bench: Bench) {
  const { end, requests } = await bench.cycle();
  const staging = end.environments?.find(({ environment }) => environment === "shop/staging");
  const service = (await bench.server.everything()).get("shop/staging/CONTAINER api");
  return {
    state: staging?.state,
    reason: staging?.reason,
    rolledBack: staging?.rolledBack,
    answered: end.answered,
    message: sentenceAfter(end),
    deployments: requests.filter((request) => request.endsWith("/deploy")).length,
    tag: service?.["tag"],
  };
}

test("after a failed deployment the last healthy commit is applied once, and this is reported", async () => {
  const { bench, healthy } = await startHealthy();
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  expect(await refresh(bench)).toMatchObject({ state: "deploying", tag: "2" });
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({
    state: "unhealthy",
    answered: [
      {
        environment: "shop/staging",
        type: "on_failure",
        commit: healthy,
        reasons: ["api failed: DEPLOYMENT_ERROR"],
      },
    ],
  });
  bench.reconciler = bench.restart();
  expect(await refresh(bench)).toMatchObject({
    state: "deploying",
    tag: "1",
    deployments: 1,
    answered: undefined,
    rolledBack: { commit: healthy, by: onFailure },
  });
  await pass(bench);
  const reported = `shop/staging is rolled back to ${healthy.slice(0, 7)} at `;
  expect(await refresh(bench)).toMatchObject({
    state: "rolled_back",
    message: expect.stringContaining(reported),
  });
  for (let times = 0; times < 3; times += 1) {
    await pass(bench);
    expect(await refresh(bench)).toMatchObject({ state: "rolled_back", tag: "1", deployments: 0 });
  }
  // A commit that changes the environment is tried, and has its own chance.
  const mended = bench.repository.push({ "infra/shop.yaml": shop + api("3") });
  expect(await refresh(bench)).toMatchObject({ state: "deploying", tag: "3", rolledBack: undefined });
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({ state: "synced", tag: "3" });
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("4") });
  await refresh(bench);
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({ answered: [{ type: "on_failure", commit: mended }] });
});

test("an environment that fails after a rollback too is left as it is: the same documents are rolled back once", async () => {
  const { bench } = await startHealthy();
  await failNext(bench, 3);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  await refresh(bench);
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({ answered: [{ type: "on_failure" }] });
  expect(await refresh(bench)).toMatchObject({ deployments: 1, tag: "1" });
  await pass(bench);
  for (let times = 0; times < 3; times += 1) {
    expect(await refresh(bench)).toMatchObject({ state: "unhealthy", answered: undefined, deployments: 0 });
    await pass(bench);
  }
  // Somebody insists on the commit.
  await bench.requests.endRollback("shop/staging");
  expect(await refresh(bench)).toMatchObject({ tag: "2", deployments: 1 });
  await pass(bench);
  for (let times = 0; times < 3; times += 1) {
    expect(await refresh(bench)).toMatchObject({ state: "unhealthy", tag: "2", answered: undefined });
    await pass(bench);
  }
});

test("without the rule, or when somebody else's deployment has failed, nothing is rolled back", async () => {
  const { bench } = await startHealthy("on_failure: report");
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  await refresh(bench);
  await pass(bench);
  expect(await refresh(bench)).toMatchObject({ state: "unhealthy", answered: undefined, tag: "2" });

  const { bench: other } = await startHealthy();
  await pass(other);
  await other.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/container/*/deploy", times: 1, fail_deployment: true },
  ]);
  await other.server.api(
    "POST",
    `/container/${await other.server.idOf("shop/staging/CONTAINER api")}/deploy`,
    { image_tag: "1" },
  );
  await pass(other);
  expect(await refresh(other)).toMatchObject({ state: "unhealthy", answered: undefined, tag: "1" });
});

test("a failed deployment is started again as often as the policy says, each time after twice the wait, and rolled back only then", async () => {
  const { bench } = await startHealthy("{ on_failure: rollback, retry: { limit: 2, backoff: 3m } }");
  await failNext(bench, 3);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  await refresh(bench);
  const seen: string[] = [];
  for (let minutes = 1; minutes <= 16; minutes += 1) {
    await pass(bench);
    // What was tried outlives a restart.
    if (minutes % 4 === 0) bench.reconciler = bench.restart();
    const { state, reason, deployments, message, answered } = await refresh(bench);
    if (deployments > 0) seen.push(`${minutes}: ${message}`);
    else if (seen.at(-1)?.endsWith(String(reason)) !== true) seen.push(`${minutes}: ${state}, ${reason}`);
    if (answered) break;
  }
  expect(seen).toEqual([
    "1: unhealthy, retry 1 of 2 follows",
    "4: shop/staging is deploying",
    "5: unhealthy, retry 2 of 2 follows",
    "11: shop/staging is deploying",
    "12: unhealthy, no retry follows: the policy has 2",
  ]);
  expect(await refresh(bench)).toMatchObject({ tag: "1", deployments: 1 });
});

test("a service that is healthy again, and another commit, begin anew with the retries of the policy", async () => {
  const { bench } = await startHealthy("retry: { limit: 1, backoff: 1m }");
  const deploymentsIn = async (minutes: number) => {
    let sum = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      await pass(bench);
      sum += (await refresh(bench)).deployments;
    }
    return sum;
  };
  for (const [tag, fails, retries] of [
    ["2", 1, 1],
    ["3", 2, 1],
    ["4", 2, 1],
  ] as const) {
    await failNext(bench, fails);
    bench.repository.push({ "infra/shop.yaml": shop + api(tag) });
    expect(await refresh(bench)).toMatchObject({ deployments: 1 });
    expect(await deploymentsIn(10)).toBe(retries);
    expect(await refresh(bench)).toMatchObject({ state: fails === 1 ? "synced" : "unhealthy" });
  }
});

test.each([
  ["commits wait", "{ retry: { limit: 3, backoff: 1m }, on_commit: report }"],
  ["the policy says nothing of retries", "on_failure: report"],
  [
    "one of two patterns has none",
    "environments: { shop/*: { retry: { limit: 3, backoff: 1m } }, '*/staging': { retry: { limit: 0, backoff: 1m } } }",
  ],
])("no deployment is started again where %s", async (_what, policy) => {
  const { bench } = await startHealthy();
  await failNext(bench, 2);
  bench.repository.push({ "infra/shop.yaml": shop + api("2"), "infra/infrasync.reconcile.yaml": "{}" });
  await refresh(bench);
  bench.repository.push({ "infra/infrasync.reconcile.yaml": policy });
  for (let minutes = 0; minutes < 5; minutes += 1) {
    await pass(bench);
    expect(await refresh(bench)).toMatchObject({ state: "unhealthy", deployments: 0 });
  }
});
