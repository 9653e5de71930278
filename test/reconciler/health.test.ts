import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { sentenceAfter } from "./cycle-words.ts";
import { type Bench, startBench, startTimedBench } from "./fixture.ts";

const api = (tag: string) => `---
kind: Container
environment: shop/staging
name: api
registry: docker-hub
image_name: acme/api
tag: "${tag}"
`;

/** A bench whose reconciler deploys, with drift undone; deployments take as long as the test lets them. */
const startDeploying = () =>
  startBench({ deploy: true }, "admin", { onDrift: "apply" }, { behaviour: { deploy_delay_ms: 60_000 } });

async function cycle(bench: Bench) {
  const { end, requests } = await bench.cycle();
  const environment = end.environments?.find(({ state }) => state !== "synced");
  return {
    state: environment?.state ?? "synced",
    message: sentenceAfter(end),
    deployments: requests.filter((request) => request.endsWith("/deploy")).length,
    requests,
    environment,
  };
}

/** Lets deployments end, for the server and the reconciler. */
async function pass({ server, clock }: Bench, milliseconds: number): Promise<void> {
  await server.advance(milliseconds);
  clock.advance(milliseconds);
}

test("a deployment is followed to its end: deploying, then synced, with one request each", async () => {
  const bench = await startDeploying();
  bench.repository.push({ "infra/shop.yaml": shop + api("1") + job("a") });
  expect(await cycle(bench)).toMatchObject({
    state: "deploying",
    deployments: 1,
    message: "shop/staging is deploying",
  });
  await bench.cycle();
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 0 });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({
    state: "synced",
    deployments: 0,
    message: "the commit is applied in 2 environments",
  });
  await pass(bench, 60_000);
  await bench.cycle();
  expect((await cycle(bench)).requests.filter((request) => request.endsWith("/statuses"))).toEqual([]);
});

test("a failed deployment is not synced, says why with its own log lines, and is not started again by itself", async () => {
  const bench = await startDeploying();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": shop + api("1") });
  await bench.cycle();
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "synced" });

  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: "image not found" },
  ]);
  repository.push({ "infra/shop.yaml": shop + api("2") });
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 1 });
  await pass(bench, 60_000);
  const failed = await cycle(bench);
  expect(failed).toMatchObject({
    state: "unhealthy",
    message: "shop/staging is unhealthy; api failed: DEPLOYMENT_ERROR",
    deployments: 0,
    environment: {
      health: [
        {
          address: "container:shop/staging/api",
          health: "failed",
          state: "DEPLOYMENT_ERROR",
          lines: ["deploy of api requested", "image not found"],
        },
      ],
    },
  });
  for (let refresh = 0; refresh < 5; refresh += 1) {
    await pass(bench, 60_000);
    expect(await cycle(bench)).toMatchObject({ state: "unhealthy", deployments: 0 });
  }
  // A commit that changes something else leaves it alone too; so does a restart.
  repository.push({ "infra/b.yaml": job("b") });
  expect(await cycle(bench)).toMatchObject({ state: "unhealthy", deployments: 1 });
  await pass(bench, 60_000);
  bench.reconciler = bench.restart();
  expect(await cycle(bench)).toMatchObject({ state: "unhealthy", deployments: 0 });
  // A new tag starts it again.
  repository.push({ "infra/shop.yaml": shop + api("3") });
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 1 });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "synced", deployments: 0 });
});

test("a failed service is deployed again by a person, or by a commit that changes its variables", async () => {
  const bench = await startDeploying();
  const { repository, server } = bench;
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", times: 2, fail_deployment: true },
  ]);
  repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  await pass(bench, 60_000);
  // A job has no log lines.
  expect(await cycle(bench)).toMatchObject({
    state: "unhealthy",
    message: "shop/staging is unhealthy; a failed: DEPLOYMENT_ERROR",
  });
  repository.push({ "infra/shop.yaml": shop + job("a", "variables: { LEVEL: debug }") });
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 1 });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "unhealthy", deployments: 0 });
  await server.api("POST", `/job/${await server.idOf("shop/staging/JOB a")}/deploy`, {});
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 0 });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "synced", deployments: 0 });
});

test("a deployment that takes longer than it should is unhealthy", async () => {
  const bench = await startBench(
    { deploy: true },
    "admin",
    {},
    { behaviour: { deploy_delay_ms: 7_200_000 } },
  );
  bench.repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  await pass(bench, 1_700_000);
  expect(await cycle(bench)).toMatchObject({ state: "deploying" });
  await pass(bench, 200_000);
  expect(await cycle(bench)).toMatchObject({
    state: "unhealthy",
    message: expect.stringMatching(/^shop\/staging is unhealthy; a has been in deployment since .* \(\w+\)$/),
  });
});

test("a deployment without a date in its status becomes unhealthy when it was first seen too long ago", async () => {
  const bench = await startBench(
    { deploy: true },
    "admin",
    {},
    { behaviour: { deploy_delay_ms: 7_200_000 } },
  );
  bench.repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  const statuses = `/environment/${await bench.server.idOf("shop/staging")}/statuses`;
  const reported = await bench.server.api("GET", statuses);
  const undated = JSON.stringify(reported).replaceAll(/"last_deployment_date":"[^"]*",?/g, "");
  await bench.server.api("POST", "/_emulator/faults", [
    { method: "GET", path: statuses, status: 200, body: JSON.parse(undated) },
  ]);
  expect(await cycle(bench)).toMatchObject({ state: "deploying" });
  await pass(bench, 1_900_000);
  expect(await cycle(bench)).toMatchObject({ state: "unhealthy" });
});

test("services whose health cannot be read, because the share of the quota is spent, are not taken for healthy", async () => {
  const { bench, pass: later } = await startTimedBench(100);
  const { server, repository } = bench;
  repository.push({ "infra/shop.yaml": shop + job("a") });
  await bench.cycle();
  const deploy = `/job/${await server.idOf("shop/staging/JOB a")}/deploy`;
  // Each deployment costs a read, until none is left.
  const states: string[] = [];
  for (let times = 0; times < 6; times += 1) {
    await server.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/job/*/deploy", times: 1, fail_deployment: true },
    ]);
    await server.api("POST", deploy, {});
    await later(60_000);
    states.push((await cycle(bench)).state);
  }
  expect(states[0]).toBe("unhealthy");
  expect(states.at(-1)).toBe("unhealthy");
  expect(states).not.toContain("synced");
  // A new process knows nothing from before.
  bench.reconciler = bench.restart();
  expect(await cycle(bench)).toMatchObject({
    state: "unread",
    message: expect.stringMatching(/^shop\/staging is not read yet; /),
  });
});

test("a commit comes to production when staging has been healthy with it for the time of the policy, restarts included", async () => {
  const bench = await startDeploying();
  const { repository, server } = bench;
  const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
  const both = (tag: string) => api(tag) + api(tag).replace("shop/staging", "shop/production");
  const statesIn = async () => {
    const { end } = await bench.cycle();
    return Object.fromEntries(
      (end.environments ?? []).map(({ environment, state, reason = "" }) => [environment, [state, reason]]),
    );
  };
  repository.push({
    "infra/shop.yaml": shop + production + both("1"),
    "infra/infrasync.reconcile.yaml":
      "environments: { shop/production: { promote: { after: shop/staging, healthy_for: 10m } } }",
  });
  const notYet = "it follows shop/staging, which is not synced and healthy with this commit";
  expect(await statesIn()).toMatchObject({
    "shop/staging": ["deploying", ""],
    "shop/production": ["waiting", notYet],
  });
  await pass(bench, 60_000);
  expect(await statesIn()).toMatchObject({
    "shop/staging": ["synced", ""],
    "shop/production": ["waiting", notYet],
  });
  await pass(bench, 540_000);
  bench.reconciler = bench.restart();
  expect(await statesIn()).toMatchObject({
    "shop/production": ["waiting", "it follows shop/staging, which has to be healthy for 10m"],
  });
  await pass(bench, 60_000);
  expect(await statesIn()).toMatchObject({ "shop/production": ["deploying", ""] });
  await pass(bench, 60_000);
  expect(await statesIn()).toMatchObject({ "shop/production": ["synced", ""] });

  // What fails in staging comes no further.
  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
  ]);
  repository.push({ "infra/shop.yaml": shop + production + both("2") });
  await statesIn();
  await pass(bench, 60_000);
  expect(await statesIn()).toMatchObject({
    "shop/staging": ["unhealthy", ""],
    "shop/production": ["waiting", notYet],
  });
  await pass(bench, 3_600_000);
  expect(await statesIn()).toMatchObject({ "shop/production": ["waiting", notYet] });
});

test.each([
  {
    what: "was cancelled",
    async halt({ server }: Bench, environment: string) {
      await server.api("POST", `${environment}/cancelDeployment`, { force_cancel: true });
    },
  },
  {
    what: "is healthy no more at the last moment",
    async halt(bench: Bench) {
      await pass(bench, 60_000);
      for (let minute = 0; minute < 10; minute += 1) {
        await bench.cycle();
        await pass(bench, 60_000);
      }
      await bench.server.api("POST", "/_emulator/faults", [
        { method: "POST", path: "/container/*/deploy", times: 1, fail_deployment: true },
      ]);
      await bench.server.api(
        "POST",
        `/container/${await bench.server.idOf("shop/staging/CONTAINER api")}/deploy`,
        { image_tag: "2" },
      );
    },
  },
])("a commit whose deployment in staging $what does not come to production", async ({ halt }) => {
  const bench = await startDeploying();
  const { repository, server } = bench;
  const production = "---\nkind: Environment\nproject: shop\nname: production\nmode: PRODUCTION\n";
  repository.push({
    "infra/shop.yaml": shop + production + api("2") + api("2").replace("shop/staging", "shop/production"),
    "infra/infrasync.reconcile.yaml":
      "environments: { shop/production: { promote: { after: shop/staging, healthy_for: 10m } } }",
  });
  await bench.cycle();
  await halt(bench, `/environment/${await server.idOf("shop/staging")}`);
  for (let minute = 0; minute < 15; minute += 1) {
    const { environments = [] } = (await bench.cycle()).end;
    const stateOf = (name: string) => environments.find(({ environment }) => environment === name)?.state;
    expect(stateOf("shop/staging")).not.toBe("synced");
    expect(stateOf("shop/production")).toBe("waiting");
    await pass(bench, 60_000);
  }
});

test("waves: a commit comes to api when migrate is deployed, and no further where that has failed", async () => {
  const bench = await startDeploying();
  const { repository, server } = bench;
  const documents = (tag: string) =>
    shop + job("migrate", `manage: { wave: 1 }\ncpu: ${tag}00`) + api(tag) + "manage: { wave: 2 }\n";
  repository.push({ "infra/shop.yaml": documents("1") });
  expect(await cycle(bench)).toMatchObject({
    state: "waiting",
    deployments: 1,
    environment: { reason: "wave 2 of 2 follows when wave 1 is healthy" },
  });
  expect([...(await server.everything()).keys()]).toEqual([
    "shop",
    "shop/staging",
    "shop/staging/JOB migrate",
  ]);
  expect(await cycle(bench)).toMatchObject({
    state: "waiting",
    deployments: 0,
    environment: { reason: "wave 2 of 2 is not sent: migrate is being deployed" },
  });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "deploying", deployments: 1 });
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "synced" });

  await server.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/service/deploy", times: 1, fail_deployment: true },
  ]);
  repository.push({ "infra/shop.yaml": documents("2") });
  await bench.cycle();
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({
    state: "unhealthy",
    deployments: 0,
    environment: { reason: "wave 2 of 2 is not sent: migrate failed: DEPLOYMENT_ERROR" },
  });
  expect((await server.everything()).get("shop/staging/CONTAINER api")).toMatchObject({ tag: "1" });
  repository.push({ "infra/shop.yaml": documents("3") });
  expect(await cycle(bench)).toMatchObject({ state: "waiting", deployments: 1 });
  await pass(bench, 60_000);
  await bench.cycle();
  await pass(bench, 60_000);
  expect(await cycle(bench)).toMatchObject({ state: "synced" });
});

test("drift that is undone names who has changed it, and not the deployment that follows", async () => {
  const bench = await startDeploying();
  bench.repository.push({ "infra/shop.yaml": shop + api("1") });
  await bench.cycle();
  await pass(bench, 60_000);
  await bench.cycle();
  await bench.server.reconcile(shop + api("2"));
  const { end } = await bench.cycle();
  expect(end.environments?.flatMap(({ reverted = [] }) => reverted)).toEqual([
    expect.objectContaining({
      action: "update",
      address: "container:shop/staging/api",
      fields: ["tag 1 -> 2"],
    }),
  ]);
});
