import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../core/api/index.ts";
import { clone, environment, job, project, shop } from "../../fixtures/documents.ts";
import type { FaultRequest } from "../../../emulator/control/faults.ts";
import type { RunOptions } from "../../fixtures/plan-and-apply.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const jobs = Array.from({ length: 8 }, (_, index) => job(`shop/staging/job-${index}`));
const documents = [...shop, ...jobs];
const post = { method: "POST", path: "/environment/*/job" };

async function expectNextRunToFinish(): Promise<void> {
  await stage.mend();
  await stage.succeed(documents);
  expect(await stage.names()).toHaveLength(10);
  const { plan } = await stage.run(documents);
  expect(plan.actions.every(({ type }) => type === "none")).toBe(true);
}

describe("in the middle of a run", () => {
  test.each([
    [401, "unauthorized"],
    [403, "forbidden"],
    [429, "quota"],
  ])(
    "a %i ends all writes, and the report lists the completed and the skipped actions",
    async (status, reason) => {
      await stage.breaks({ ...post, after: 3, status });
      const { report } = await stage.run(documents, { parallelism: 2 });
      expect(report.stopped?.reason).toBe(reason);
      const statuses = report.outcomes.map((outcome) => outcome.status);
      expect(statuses.filter((one) => one === "done")).toHaveLength(5);
      expect(statuses.filter((one) => one === "skipped").length).toBeGreaterThanOrEqual(3);
      // One of the two at work may have begun another one on a busy machine.
      expect(await stage.mend()).toBeLessThanOrEqual(3);
      await expectNextRunToFinish();
    },
  );

  test("a 403 after an unclear response stops the run too", async () => {
    await stage.breaks(
      { ...post, times: 1, drop: "after" },
      { method: "GET", path: "/environment/*/services", status: 403 },
    );
    const { report } = await stage.run(documents, { parallelism: 1 });
    expect(report.outcomes[2]).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.stopped?.reason).toBe("forbidden");
    await expectNextRunToFinish();
  });

  test("the request limit stops the run cleanly, and the next run continues", async () => {
    const { report, client } = await stage.run(documents, { client: { maxRequests: 9 } });
    expect(client.spent.total).toBe(9);
    expect(report.stopped?.reason).toBe("quota");
    expect((await stage.requests()).length).toBe(9);
    await expectNextRunToFinish();
  });

  test("a run that may wait for the quota waits for the reset and continues", async () => {
    await using limited = await FaultyServer.open({ behaviour: { rate_limit: 8, rate_window_s: 3600 } });
    const { client } = await limited.succeed(documents, { client: { onQuota: "wait" } });
    expect(client.spent.total).toBeGreaterThan(10);
    const seen = await limited.harness.seen();
    expect(seen.filter(({ method, status }) => method === "POST" && status === 201)).toHaveLength(9);
  });
});

test("a wait for the quota does not count towards the time limits of actions", async () => {
  const anHour = { status: 429, headers: { "retry-after": "3000" } };
  await stage.breaks({ ...post, times: 1, ...anHour }, { ...post, times: 3, status: 409 });
  await stage.succeed(documents.slice(0, 3), { limits: { busy: 120_000 }, client: { onQuota: "wait" } });
  expect(await stage.mend()).toBe(4);
});

test("a write that a service may not send names the reason, and so does each action after it", async () => {
  let writes = 0;
  const beforeWrite = async () => {
    if ((writes += 1) > 3) throw new Error("the database is too slow");
  };
  const { report } = await stage.run(documents, { client: { beforeWrite }, parallelism: 1 });
  expect(report.stopped).toMatchObject({ reason: "interrupted" });
  expect(report.stopped?.message).toContain("the database is too slow");
  const skipped = report.outcomes.filter(({ status }) => status !== "done");
  expect(skipped.length).toBeGreaterThan(3);
  for (const { message } of skipped) expect(message).toContain("the database is too slow");
  await expectNextRunToFinish();
});

test("a signal that names a reason stops the run for that reason", async () => {
  const reason = new Error("another worker may work on shop now");
  const { report } = await stage.run(documents, { ...interruptedAfter(3, "POST", reason), parallelism: 1 });
  expect(report.stopped?.message).toBe("another worker may work on shop now");
  expect(report.outcomes.at(-1)?.message).toBe("the run had stopped: another worker may work on shop now");
});

describe("the signal", () => {
  test("actions in progress finish, no action starts, and the report distinguishes them", async () => {
    await stage.breaks({ ...post, delay_ms: 100 });
    const { report } = await stage.run(documents, { ...interruptedAfter(3, "POST"), parallelism: 2 });
    expect(report.stopped).toEqual({ reason: "interrupted", message: "the run was interrupted" });
    const statuses = report.outcomes.map((outcome) => outcome.status);
    expect(statuses.slice(0, 3)).toEqual(["done", "done", "done"]);
    const names = await stage.names();
    expect(names).toHaveLength(statuses.filter((status) => status === "done").length);
    expect(report.outcomes.at(-1)?.message).toBe("the run had stopped");
    await expectNextRunToFinish();
  });

  test("the run still checks a write with an unclear outcome", async () => {
    await stage.breaks({ ...post, times: 1, drop: "after" });
    const { report } = await stage.run(documents, { ...interruptedAfter(3, "POST"), parallelism: 1 });
    expect(report.outcomes[2]).toMatchObject({ status: "done", remarks: ["adopted"] });
    expect(report.outcomes[3]).toMatchObject({ status: "skipped" });
  });

  test("the wait for the quota ends at once", async () => {
    await stage.breaks({ ...post, after: 3, status: 429, headers: { "retry-after": "3000" } });
    const controller = new AbortController();
    const waiting = () => setTimeout(() => controller.abort(), 20);
    const { report } = await stage.run(documents, {
      signal: controller.signal,
      clock: systemClock,
      client: { onQuota: "wait", onWait: waiting },
    });
    expect(report.stopped?.reason).toBe("interrupted");
    await expectNextRunToFinish();
  });
});

describe("requested operations are in the report when the signal comes, and the next run continues with them", () => {
  const copy = clone("Job", "shop/staging/copy", "shop/staging/job-0", { cpu: 750 });
  const less = [project(), environment("shop/staging", { manage: { prune: true } }), ...jobs.slice(1)];
  const more = [...documents, job("shop/staging/more")];
  const changed = [...shop, job("shop/staging/job-0", { cpu: 750 }), ...jobs.slice(1)];
  const broken = { drop: "before", times: 1 } as const;

  const cases: [
    name: string,
    desired: typeof documents,
    method: string,
    fault: FaultRequest,
    status: string,
    code: string,
    message: RegExp,
  ][] = [
    [
      "a creation of unknown outcome",
      more,
      "POST",
      broken,
      "pending",
      "unclear",
      /^the resource may or may not have been created, and the run was/,
    ],
    [
      "a clone of unknown outcome",
      [...documents, copy],
      "POST",
      broken,
      "pending",
      "unclear",
      /^the resource may or may not have been created, and the run was/,
    ],
    [
      "a clone that was refused for the moment",
      [...documents, copy],
      "POST",
      { status: 409, times: 1 },
      "skipped",
      "interrupted",
      /^the run had stopped$/,
    ],
    [
      "a clone that cannot be read yet",
      [...documents, copy],
      "POST",
      { delay_ms: 0 },
      "pending",
      "pending",
      /^the clone \([0-9a-f-]{36}\) has been requested, and the run was interrupted$/,
    ],
    [
      "a change of unknown outcome",
      changed,
      "PUT",
      broken,
      "pending",
      "unclear",
      /^the change may or may not have been made, and the/,
    ],
    [
      "a deletion of unknown outcome",
      less,
      "DELETE",
      broken,
      "pending",
      "unclear",
      /may or may not have been deleted, and the run was/,
    ],
    [
      "a deletion that takes its time",
      less,
      "DELETE",
      { delay_ms: 0 },
      "pending",
      "pending",
      /has been accepted, and the run was interrupted$/,
    ],
  ];
  test.each(cases)("%s", async (_name, desired, method, fault, status, code, message) => {
    await using slow = await FaultyServer.open({ behaviour: { clone_delay_ms: 200, delete_delay_ms: 200 } });
    await slow.succeed(documents);
    await slow.breaks({ method, ...fault });
    const { report } = await slow.run(desired, { policy: { prune: true }, ...interruptedAfter(1, method) });
    expect(report.outcomes.filter((one) => one.status !== "done")).toMatchObject([
      { status, code, message: expect.stringMatching(message) },
    ]);
    expect(report.stopped?.reason).toBe("interrupted");
    await slow.mend();
    await slow.succeed(desired, { policy: { prune: true } });
    const { plan } = await slow.run(desired, { policy: { prune: true } });
    expect(plan.actions.every(({ type }) => type === "none")).toBe(true);
  });
});

/** A signal that fires when the server has responded to this number of requests with this method. */
function interruptedAfter(count: number, method: string, reason?: Error): RunOptions {
  const controller = new AbortController();
  let left = count;
  const debug = (fields: Record<string, unknown>) => {
    if (fields["method"] === method) left -= 1;
    if (left === 0) controller.abort(reason);
  };
  return { signal: controller.signal, client: { logger: { debug } } };
}
