import { expect, test } from "vitest";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, startBench } from "./fixture.ts";

const staging = shop.replace("mode: STAGING", "mode: STAGING\nmanage: { prune: true }");
const production = `---
kind: Environment
project: shop
name: production
mode: PRODUCTION
manage: { prune: true }
`;
const inProduction = (name: string, rest = "") => job(name, rest, "shop/production");
const lifecycle = (text: string) =>
  text.replace(/schedule: .*/, "schedule: { on_start: { arguments: [--up] } }");

/** The names of all resources, and the writes of a cycle. */
async function after(bench: Bench) {
  const { end, requests } = await bench.cycle();
  const names = [...(await bench.server.everything()).keys()]
    .filter((name) => name.includes("JOB"))
    .toSorted();
  return { end, names, writes: requests.filter((request) => !request.startsWith("GET ")) };
}

test("an environment that lacks an approval leaves the others synced, and drift in them is reported", async () => {
  const bench = await startBench();
  const { repository, server } = bench;
  repository.push({ "infra/shop.yaml": staging + production, "infra/a.yaml": inProduction("a") });
  await bench.cycle();
  // A cron job cannot become a lifecycle job: it would have to be replaced.
  repository.push({ "infra/a.yaml": lifecycle(inProduction("a")), "infra/b.yaml": job("b", "cpu: 500") });
  const first = await after(bench);
  expect(first).toMatchObject({
    end: {
      type: "blocked",
      problems: [{ code: "replacement", address: "job:shop/production/a" }],
      outcomes: [{ status: "done" }],
      changes: [],
    },
    names: ["shop/production/JOB a", "shop/staging/JOB b"],
    writes: ["POST /environment/{id}/job"],
  });
  expect(await after(bench)).toMatchObject({
    end: { type: "blocked", outcomes: [], changes: [] },
    writes: [],
  });

  // Also after a restart: what was applied is known from the data folder.
  bench.reconciler = bench.restart();
  await server.reconcile(staging + production + job("b", "cpu: 750"));
  expect(await after(bench)).toMatchObject({
    end: {
      type: "blocked",
      outcomes: [],
      changes: [{ address: "job:shop/staging/b", fields: ["cpu 500 -> 750"] }],
    },
    writes: [],
  });
  // The commit that mends it says nothing new, and sets nothing back.
  repository.push({ "infra/a.yaml": inProduction("a") });
  expect(await after(bench)).toMatchObject({ end: { type: "drift" }, writes: [] });
});

const ofTheOrganization = `kind: LabelsGroup
name: shop
labels: [{ key: team, value: shop }]
---
kind: DeploymentRule
project: shop
name: nights
mode: STAGING
cluster: eu-west
timezone: UTC
start_time: "2026-01-01T08:00:00Z"
stop_time: "2026-01-01T19:00:00Z"
weekdays: [MONDAY]
`;

test("the resources of the organization and of each project are environments, also under the name of another environment", async () => {
  const bench = await startBench();
  bench.repository.push({
    "infra/shop.yaml": staging + production + job("b"),
    "infra/organization.yaml": ofTheOrganization,
    "infra/a.yaml": inProduction("a").replace("docker-hub", "no-such-registry"),
  });
  const { end, writes } = await after(bench);
  expect(end).toMatchObject({
    type: "blocked",
    problems: [{ address: "job:shop/production/a" }],
    environments: [
      { environment: "shop", state: "synced" },
      { environment: "shop/production", state: "blocked" },
      { environment: "the organization", state: "synced" },
      { environment: "shop/staging", state: "synced" },
    ],
  });
  expect(writes).toContain("POST /organization/{id}/labelsGroups");
  expect(writes).toContain("POST /project/{id}/deploymentRule");
  expect((await bench.cycle()).requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
});

test("a pattern of any names holds the organization too, one of a project does not", async () => {
  const bench = await startBench();
  const policy = (pattern: string) => `environments: { "${pattern}": { on_commit: report } }`;
  bench.repository.push({
    "infra/organization.yaml": ofTheOrganization.split("---")[0] ?? "",
    "infra/infrasync.reconcile.yaml": policy("**"),
  });
  expect((await bench.cycle()).end).toMatchObject({
    type: "partly",
    environments: [{ environment: "the organization", state: "waiting", reason: "on_commit: report" }],
  });
  bench.repository.push({ "infra/infrasync.reconcile.yaml": policy("shop/**") });
  expect((await bench.cycle()).end).toMatchObject({
    type: "applied",
    environments: [{ environment: "the organization", state: "synced" }],
  });
});
