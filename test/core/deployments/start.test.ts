import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DeploymentOrder } from "../../../core/deployments/index.ts";
import { carryOut } from "../../../core/deployments/writes.ts";
import { startDeployment } from "../../../core/deployments/start.ts";
import { writing } from "../../../core/api/write-client.ts";
import { UnclearOutcomeError } from "../../../core/api/index.ts";
import { application, job, shop } from "../../fixtures/manifests.ts";
import { Course } from "./course.ts";

let course: Course;
let services: DeploymentOrder;
let whole: DeploymentOrder;

beforeAll(async () => {
  course = await Course.start(30_000);
});
afterAll(() => course.harness[Symbol.asyncDispose]());
beforeEach(async () => {
  const { harness } = course;
  course.waited = 0;
  await harness.api("POST", "/_emulator/reset");
  await harness.reconcile(shop + job("a") + job("b") + application("c"));
  services = await course.order("deploy", "job:shop/staging/*");
  whole = await course.order("deploy", "shop/staging");
  await harness.forgetRequests();
});

const fault = (...faults: object[]) => course.harness.api("POST", "/_emulator/faults", faults);
const writes = async () =>
  (await course.harness.writes()).filter(({ path }) => !path.startsWith("/_emulator"));
const started = () => course.deployments(whole.environment.id);

/** A run whose POSTs go through a function, which may send them. */
function posting(how: (send: () => Promise<unknown>) => Promise<unknown>) {
  const context = course.context();
  const client = new Proxy(context.client, {
    get(target, member) {
      if (member === "post")
        return (path: string, body?: unknown) => how(() => writing(target).post(path, body));
      const value: unknown = Reflect.get(target, member);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { ...context, client };
}

describe.for([
  ["services", () => services, "/environment/*/service/deploy"],
  ["an environment", () => whole, "/environment/*/deploy"],
] as const)("a deployment of %s", ([, order, path]) => {
  test("starts with one read and one request", async () => {
    await startDeployment(course.context(), order());
    expect((await course.harness.seen()).map(({ method }) => method)).toEqual(["GET", "POST"]);
    expect(await started()).toBe(1);
  });

  test.for([
    ["the answer is lost", { drop: "after" }],
    ["the answer is an error of the server, although it has started", { status: 502, carry_out: true }],
    ["the answer breaks off", { truncate: 3 }],
    ["a proxy has passed it on, and answers 429", { status: 429, carry_out: true }],
  ] as const)("is not started twice: %s", async ([, how]) => {
    await fault({ method: "POST", path, times: 1, ...how });
    await startDeployment(course.context(undefined, "wait"), order());
    expect(await writes()).toHaveLength(1);
    expect(await started()).toBe(1);
  });

  test.for([
    ["the request is lost", { drop: "before" }],
    ["the server fails before it starts anything", { status: 503 }],
  ] as const)("is sent again after reads that show no deployment: %s", async ([, how]) => {
    await fault({ method: "POST", path, times: 1, ...how });
    await startDeployment(course.context(), order());
    expect(await writes()).toHaveLength(2);
    expect(await started()).toBe(1);
  });

  test("is sent at most twice, and then no outcome claims that it started", async () => {
    await fault({ method: "POST", path, status: 500 });
    await expect(startDeployment(course.context(), order())).rejects.toMatchObject({ code: "unclear" });
    expect(await writes()).toHaveLength(2);
    expect(await started()).toBe(0);
  });

  test.for([
    ["nothing", undefined],
    ["an empty object", {}],
  ] as const)("is looked for after an answer with %s, and never sent again", async ([, answer]) => {
    const silent = posting(async (send) => {
      await send();
      return answer;
    });
    await startDeployment(silent, order());
    expect(await started()).toBe(1);
    let sends = 0;
    const lost = posting(async () => {
      sends += 1;
      return answer;
    });
    await course.harness.api("POST", "/_emulator/clock", { advance_ms: 60_000 });
    await expect(startDeployment(lost, order())).rejects.toMatchObject({ code: "pending" });
    expect(sends).toBe(1);
    expect(await started()).toBe(1);
  });

  test("waits for another operation to end", async () => {
    await course.harness.api("POST", `/environment/${whole.environment.id}/deploy`);
    await startDeployment(course.context(), order());
    expect(await started()).toBe(2);
  });

  test("is not confused with a deployment that another client has started meanwhile", async () => {
    let isLost = false;
    const context = posting(async (send) => {
      // Another is faster, so ours is refused; once that has ended, ours is lost on its way.
      if (course.waited === 0)
        await course.harness.api("POST", `/environment/${whole.environment.id}/deploy`);
      if (course.waited < 31_000 || isLost) return send();
      isLost = true;
      throw new UnclearOutcomeError("lost", { method: "POST", path: "" });
    });
    await startDeployment(context, order());
    expect(isLost).toBe(true);
    expect(await started()).toBe(2);
  });

  test("waits when the quota runs out midway, and sends nothing twice", async () => {
    const reset = String(Math.ceil(course.clock.now() / 1000) + 5);
    await fault({ method: "POST", path, times: 1, status: 429, headers: { "x-ratelimit-reset": reset } });
    await startDeployment(course.context(undefined, "wait"), order());
    expect(await started()).toBe(1);
  });
});

test("stays unclear when a new deployment contains only some of the services, and nothing is sent again", async () => {
  const [first] = services.services;
  let sends = 0;
  const context = posting(async () => {
    sends += 1;
    await course.harness.api("POST", `/job/${first?.id}/deploy`, {});
    throw new UnclearOutcomeError("lost", { method: "POST", path: "" });
  });
  await expect(startDeployment(context, services)).rejects.toMatchObject({
    code: "unclear",
    message: "it may or may not have been started: an operation has started on some of the services",
  });
  expect(sends).toBe(1);
});

test("reports that its environment has disappeared", async () => {
  await course.harness.api("DELETE", `/environment/${whole.environment.id}`);
  const [outcome] = await carryOut(course.context(), [whole], { parallelism: 1 });
  expect(outcome).toMatchObject({ status: "refused" });
});
