import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type DeploymentOrder, type OrderOutcome } from "../../../core/deployments/index.ts";
import { carryOut } from "../../../core/deployments/writes.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { Course } from "./course.ts";

let course: Course;
beforeAll(async () => {
  course = await Course.start(60_000);
});
afterAll(() => course.harness[Symbol.asyncDispose]());
beforeEach(async () => {
  await course.harness.api("POST", "/_emulator/reset");
  course.waited = 0;
  course.onWait = () => undefined;
  const jobs = Array.from({ length: 19 }, (_, index) => job(`job-${index}`)).join("");
  await course.harness.reconcile(shop + jobs + application("api"));
  await course.harness.forgetRequests();
});

async function follow(
  order: DeploymentOrder,
  more: { wait?: number; signal?: AbortSignal } = {},
): Promise<OrderOutcome> {
  await course.harness.forgetRequests();
  const [outcome] = await carryOut(course.context(more.signal), [order], {
    parallelism: 1,
    wait: more.wait ?? 1_800_000,
  });
  if (!outcome) throw new Error("there is no outcome");
  return outcome;
}

const results = ({ services }: OrderOutcome) => [...new Set(services.map(({ result }) => result))];

test.for(["shop/staging", "shop/staging/*"])(
  "following a deployment of %s that takes a minute costs 10 requests",
  async (pattern) => {
    const outcome = await follow(await course.order("deploy", pattern));
    expect(outcome).toMatchObject({ status: "done", ended: "final" });
    expect(outcome.services).toHaveLength(20);
    expect(results(outcome)).toEqual(["done"]);
    expect((await course.harness.seen()).length).toBeLessThanOrEqual(10);
  },
);

test("an earlier deployment that has ended is not mistaken for the requested one", async () => {
  const order = await course.order("deploy", "shop/staging/api");
  expect((await follow(order)).status).toBe("done");
  // The server shows the new one late.
  const path = `/environment/${order.environment.id}/statuses`;
  const body = await course.harness.api("GET", path);
  await course.harness.api("POST", "/_emulator/faults", [
    { method: "GET", path, after: 1, times: 3, status: 200, body },
  ]);
  course.waited = 0;
  expect((await follow(order)).status).toBe("done");
  expect(course.waited).toBeGreaterThan(59_000);
});

test("a failed deployment is reported with the service, its state and its last log lines", async () => {
  await course.harness.api("POST", "/_emulator/faults", [
    { method: "POST", path: "/environment/*/deploy", fail_deployment: true },
  ]);
  const outcome = await follow(await course.order("deploy", "shop/staging"));
  expect(outcome.status).toBe("failed");
  expect(outcome.services.find(({ service }) => service.address.kind.slug === "application")).toMatchObject({
    state: "DEPLOYMENT_ERROR",
    result: "failed",
    logs: [{ message: "deploy of api requested" }, { message: "api: DEPLOYMENT_ERROR" }],
  });
});

test("a service that is deleted meanwhile fails at once, not after the time limit", async () => {
  const order = await course.order("deploy", "shop/staging/*");
  const [deleted] = order.services;
  course.onWait = () => {
    course.onWait = () => undefined;
    void course.harness.api("DELETE", `/${deleted?.address.kind.slug}/${deleted?.id}`);
  };
  const outcome = await follow(order);
  expect(outcome).toMatchObject({ status: "failed", ended: "final" });
  expect(outcome.services.filter(({ result }) => result === "failed")).toMatchObject([
    { service: { id: deleted?.id }, state: "DELETED" },
  ]);
  expect(course.waited).toBeLessThan(180_000);
});

test("a deployment that is cancelled meanwhile counts as failed", async () => {
  const order = await course.order("deploy", "shop/staging/api");
  course.onWait = () => {
    course.onWait = () => undefined;
    void course.harness.api("POST", `/environment/${order.environment.id}/cancelDeployment`, {});
  };
  expect(await follow(order)).toMatchObject({
    status: "failed",
    services: [{ state: "CANCELED", result: "canceled" }],
  });
});

test("a deployment that never ends is followed until the time limit", async () => {
  const outcome = await follow(await course.order("deploy", "shop/staging/api"), { wait: 20_000 });
  expect(outcome).toMatchObject({
    status: "unfinished",
    ended: "timeout",
    services: [{ result: "unfinished" }],
  });
  expect(course.waited).toBe(20_000);
});

test("the signal ends the polling, not the deployment", async () => {
  const interruption = new AbortController();
  course.onWait = () => interruption.abort();
  const order = await course.order("deploy", "shop/staging/api");
  expect(await follow(order, { signal: interruption.signal })).toMatchObject({ status: "unfinished" });
  expect(
    (await course.harness.writes()).map(({ path }) => path).filter((path) => path.includes("cancel")),
  ).toEqual([]);
});

test("a stop ends when all services have stopped, and a cancel when no deployment is in progress", async () => {
  expect(await follow(await course.order("deploy", "shop/staging"))).toMatchObject({ status: "done" });
  const stopped = await follow(await course.order("stop", "job:shop/staging/*"));
  expect([stopped.status, results(stopped)]).toEqual(["done", ["done"]]);
  await carryOut(course.context(), [await course.order("deploy", "shop/staging/api")], { parallelism: 1 });
  const cancelled = await follow(await course.order("cancel", "shop/staging"));
  expect(cancelled.status).toBe("done");
});
