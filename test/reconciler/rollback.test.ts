import { expect, test } from "vitest";
import { withAdvice } from "../../cli/render/remedies.ts";
import { shop } from "../fixtures/manifests.ts";
import { onFailure } from "../../reconciler/decide/index.ts";
import { tell } from "../../reconciler/show/telling.ts";
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
  const bench = await startBench({ deploy: true }, "admin", { onDrift: "apply" }, { deployDelay: 60_000 });
  const healthy = bench.repository.push({
    "infra/shop.yaml": shop + api("1"),
    "infra/infrasync.reconcile.yaml": policy,
  });
  await bench.cycle();
  await pass(bench);
  expect(await look(bench)).toMatchObject({ state: "in_step", tag: "1" });
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
async function look(bench: Bench) {
  const { end, requests } = await bench.cycle();
  const staging = end.environments?.find(({ environment }) => environment === "shop/staging");
  const service = (await bench.server.everything()).get("shop/staging/CONTAINER api");
  return {
    state: staging?.state,
    rolledBack: staging?.rolledBack,
    answered: end.answered,
    message: tell(end, withAdvice).message,
    deployments: requests.filter((request) => request.endsWith("/deploy")).length,
    tag: service?.["tag"],
  };
}

test("after a failed deployment the last healthy commit is applied once, and this is reported", async () => {
  const { bench, healthy } = await startHealthy();
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  expect(await look(bench)).toMatchObject({ state: "deploying", tag: "2" });
  await pass(bench);
  expect(await look(bench)).toMatchObject({
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
  expect(await look(bench)).toMatchObject({
    state: "deploying",
    tag: "1",
    deployments: 1,
    answered: undefined,
    message: expect.stringMatching(
      /^the commit is applied; shop\/staging is rolled back to \w{7} at \S+ because/,
    ),
    rolledBack: { commit: healthy, by: onFailure },
  });
  await pass(bench);
  const told = `in step, but for 1 environment; shop/staging is rolled back to ${healthy.slice(0, 7)} at `;
  expect(await look(bench)).toMatchObject({
    state: "rolled_back",
    message: expect.stringContaining(told),
  });
  for (let times = 0; times < 3; times += 1) {
    await pass(bench);
    expect(await look(bench)).toMatchObject({ state: "rolled_back", tag: "1", deployments: 0 });
  }
  // A commit that changes the environment is tried, and has its own chance.
  const mended = bench.repository.push({ "infra/shop.yaml": shop + api("3") });
  expect(await look(bench)).toMatchObject({ state: "deploying", tag: "3", rolledBack: undefined });
  await pass(bench);
  expect(await look(bench)).toMatchObject({ state: "in_step", tag: "3" });
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("4") });
  await look(bench);
  await pass(bench);
  expect(await look(bench)).toMatchObject({ answered: [{ type: "on_failure", commit: mended }] });
});

test("an environment that fails after a rollback too is left as it is: the same documents are rolled back once", async () => {
  const { bench } = await startHealthy();
  await failNext(bench, 3);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  await look(bench);
  await pass(bench);
  expect(await look(bench)).toMatchObject({ answered: [{ type: "on_failure" }] });
  expect(await look(bench)).toMatchObject({ deployments: 1, tag: "1" });
  await pass(bench);
  for (let times = 0; times < 3; times += 1) {
    expect(await look(bench)).toMatchObject({ state: "unhealthy", answered: undefined, deployments: 0 });
    await pass(bench);
  }
  // Somebody insists on the commit.
  await bench.requests.endRollback("shop/staging");
  expect(await look(bench)).toMatchObject({ tag: "2", deployments: 1 });
  await pass(bench);
  for (let times = 0; times < 3; times += 1) {
    expect(await look(bench)).toMatchObject({ state: "unhealthy", tag: "2", answered: undefined });
    await pass(bench);
  }
});

test("without the rule, or when somebody else's deployment has failed, nothing is rolled back", async () => {
  const { bench } = await startHealthy("on_failure: report");
  await failNext(bench);
  bench.repository.push({ "infra/shop.yaml": shop + api("2") });
  await look(bench);
  await pass(bench);
  expect(await look(bench)).toMatchObject({ state: "unhealthy", answered: undefined, tag: "2" });

  const { bench: other } = await startHealthy();
  await pass(other);
  await other.server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/container/*/deploy", times: 1, fail_deployment: true },
  ]);
  await other.server.api(
    "POST",
    `/container/${await other.server.idOf("shop/staging/CONTAINER api")}/deploy`,
    {
      image_tag: "1",
    },
  );
  await pass(other);
  expect(await look(other)).toMatchObject({ state: "unhealthy", answered: undefined, tag: "1" });
});
