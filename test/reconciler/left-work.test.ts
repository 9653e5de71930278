import { expect, test } from "vitest";
import { fastClock } from "../fixtures/fast-clock.ts";
import { job, shop } from "../fixtures/manifests.ts";
import { type Bench, startBench } from "./fixture.ts";

const production = `---
kind: Environment
project: shop
name: production
cluster: eu-west
mode: PRODUCTION
`;
const inProduction = (cpu: number) => job("p", `cpu: ${cpu}`).replace("shop/staging", "shop/production");
const copy = `---
kind: Environment
project: shop
name: copy
mode: PREVIEW
clone: { from: shop/staging }
`;

async function cpuOf(bench: Bench): Promise<unknown> {
  return (await bench.server.everything()).get("shop/production/JOB p")?.["cpu"];
}

/** A reconciler of a repository in which a clone begins that is ready when the test says so. */
async function whileCloning() {
  const bench = await startBench({}, "admin", {}, { behaviour: { clone_delay_ms: 3_600_000 } }, undefined, {
    clock: fastClock(),
    longestWait: 1_000,
    run: { limits: { clone: 1e9, deletion: 1e9, busy: 1e9 } },
  });
  const { repository } = bench;
  repository.push({
    "infra/shop.yaml": shop + production,
    "infra/a.yaml": job("a"),
    "infra/p.yaml": inProduction(250),
  });
  await bench.cycle();
  repository.push({ "infra/copy.yaml": copy, "infra/p.yaml": inProduction(500) });
  const { end } = await bench.cycle();
  const finish = async () => {
    await bench.server.api("POST", "/_emulator/clock", { advance_ms: 3_600_000 });
    await bench.reconciler.over();
  };
  return { bench, end, finish };
}

test("while the server makes a clone, the next commit is applied elsewhere", async () => {
  const { bench, end, finish } = await whileCloning();
  const { repository } = bench;
  const atWork = { environment: "shop/copy", reason: "an earlier change is still in progress on the server" };
  expect(end).toMatchObject({ type: "partly", waiting: [atWork] });
  expect(await cpuOf(bench)).toBe(500);

  repository.push({ "infra/p.yaml": inProduction(750) });
  const { end: next, requests } = await bench.cycle();
  expect(next).toMatchObject({ type: "partly", waiting: [atWork] });
  expect(next.environments?.find(({ environment }) => environment === "shop/copy")).toMatchObject({
    state: "waiting",
    reason: atWork.reason,
  });
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(await cpuOf(bench)).toBe(750);

  await finish();
  expect((await bench.cycle()).end).toMatchObject({ type: "synced" });
  expect(
    [...(await bench.server.everything()).keys()].filter((path) => path.startsWith("shop/copy")),
  ).toEqual(["shop/copy", "shop/copy/JOB a"]);
});

test("a clone that an earlier cycle has requested without waiting is finished: fields that differ are written", async () => {
  const { bench, finish } = await whileCloning();
  const { repository } = bench;
  const changed = job("a", "cpu: 300").replace("shop/staging", "shop/copy");
  repository.push({ "infra/inside.yaml": changed });
  expect((await bench.cycle()).end).toMatchObject({ type: "partly" });
  await finish();
  expect((await bench.cycle()).end).toMatchObject({ type: expect.stringMatching(/applied|partly/) });
  expect((await bench.server.everything()).get("shop/copy/JOB a")).toMatchObject({ cpu: 300 });
  expect((await bench.cycle()).end).toMatchObject({ type: "synced" });
});
