import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { environment, job, project, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { fastClock } from "../../fixtures/fast-clock.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const jobs = (cpu: number): Fields[] =>
  Array.from({ length: 40 }, (_, index) => ({ ...job(`shop/staging/job-${index}`), cpu }));
/** As the command line has them. */
const limits = { busy: 120_000 };

test("a run that gets an error for every update tries for all together, and then sends no further change", async () => {
  await stage.succeed([...shop, ...jobs(500)]);
  await stage.breaks({ method: "PUT", path: "/job/*", status: 500 });
  const before = (await stage.harness.seen()).length;
  const { report } = await stage.run([...shop, ...jobs(600)], { limits, clock: fastClock(20) });
  expect(report.stopped?.reason).toBe("server_failing");
  expect(report.stopped?.message).toMatch(
    /^for 60 s the server has answered every change with an error or not at all/,
  );
  const { done, failed, skipped } = counted(report.outcomes.map(({ status }) => status));
  expect({ done, all: (failed ?? 0) + (skipped ?? 0) }).toEqual({ done: 2, all: 40 });
  // Each of the 40 would have spent 28.
  expect((await stage.harness.seen()).length - before).toBeLessThan(100);
  await stage.mend();
  await stage.succeed([...shop, ...jobs(600)]);
});

test("deletions whose connection always breaks stop the run, and a later run goes on", async () => {
  await stage.succeed([...shop, ...jobs(500)]);
  await stage.breaks({ method: "DELETE", path: "/job/*", drop: "before" });
  const before = (await stage.harness.seen()).length;
  const left = [project(), environment("shop/staging", { manage: { prune: true } })];
  const { report } = await stage.run(left, { policy: { prune: true }, limits, clock: fastClock(20) });
  expect(report.stopped?.reason).toBe("server_failing");
  // The first ten are sent together, and each is read before it is sent again.
  expect((await stage.harness.seen()).length - before).toBeLessThan(150);
  await stage.mend();
  await stage.succeed(left, { policy: { prune: true } });
  expect(await stage.names()).toHaveLength(2);
});

test("creations that all fail stop the run, and nothing is created twice later", async () => {
  await stage.succeed(shop);
  await stage.breaks({ method: "POST", path: "/environment/*/job", status: 500 });
  const before = (await stage.harness.seen()).length;
  const { report } = await stage.run([...shop, ...jobs(500)], { limits, clock: fastClock(20) });
  expect(report.stopped?.reason).toBe("server_failing");
  expect((await stage.harness.seen()).length - before).toBeLessThan(100);
  await stage.mend();
  await stage.succeed([...shop, ...jobs(500)]);
  expect(await stage.names()).toHaveLength(42);
});

test("a server that recovers within the minute gets every change", async () => {
  await stage.succeed([...shop, ...jobs(500)]);
  // Three requests make the others wait, and in the minute there are at least three tries for all, however busy the machine is.
  await stage.breaks({ method: "PUT", path: "/job/*", status: 500, times: 6 });
  const { report } = await stage.run([...shop, ...jobs(600)], { limits, clock: fastClock(4) });
  expect(report.stopped).toBeUndefined();
  expect(counted(report.outcomes.map(({ status }) => status))).toEqual({ done: 42 });
});

test("errors of one kind alone do not stop the others", async () => {
  const environments = ["a", "b", "c", "d"].map((name) => environment(`shop/${name}`));
  await stage.succeed([project("shop"), ...environments]);
  await stage.breaks({ method: "POST", path: "/environment/*/job", status: 500 });
  const documents = [
    project("shop"),
    ...environments.map((document) => ({ ...document, mode: "PRODUCTION" })),
    job("shop/a/one"),
    job("shop/a/two"),
  ];
  const { report } = await stage.run(documents, { limits, clock: fastClock(100) });
  expect(report.stopped).toBeUndefined();
  expect(counted(report.outcomes.map(({ status }) => status))).toEqual({ done: 5, failed: 2 });
});

function counted(all: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(all)].map((one) => [one, all.filter((other) => other === one).length]),
  );
}
