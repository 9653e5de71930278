import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clockWith, fastClock } from "../../fixtures/fast-clock.ts";
import { application, job, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { doneAndUnclear, notDoneAndUnclear } from "../../fixtures/unclear-answers.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const client = { requestTimeout: 1_000 };
const before = [...shop, application("shop/staging/api", { cpu: 250, memory: 512 })];
const port = { internal_port: 9090, publicly_accessible: false };
const after = [
  ...shop,
  application("shop/staging/api", { cpu: 750, ports: [{ internal_port: 8080 }, port] }),
];

const puts = async () =>
  (await stage.requests()).filter((request) => request === "PUT /application/{id}").length;

async function expectChanged(): Promise<void> {
  const { cpu, memory, ports } = await stage.answer("shop/staging/APPLICATION api");
  expect({ cpu, memory }).toEqual({ cpu: 750, memory: 512 });
  expect(ports).toHaveLength(2);
  const { plan } = await stage.run(after);
  expect(plan.actions.every(({ type }) => type === "none")).toBe(true);
}

describe("PUT, unclear", () => {
  beforeEach(async () => {
    await stage.succeed(before);
    await stage.requests();
  });

  test.each(doneAndUnclear)("%s after the work: read again, and not sent again", async (_name, fault) => {
    await stage.breaks({ method: "PUT", times: 1, ...fault });
    await stage.succeed(after, { client });
    expect(await puts()).toBe(1);
    await expectChanged();
  });

  test.each(notDoneAndUnclear)("%s before the work: read again, and sent again", async (_name, fault) => {
    await stage.breaks({ method: "PUT", times: 1, ...fault });
    await stage.succeed(after, { client });
    // An answer of another shape to a PUT is no sign of failure: it may have nothing to say.
    if (fault.body === undefined || typeof fault.body === "string") expect(await puts()).toBe(2);
  });

  test("no look either: says that nobody knows, and the next run goes on", async () => {
    await stage.breaks(
      { method: "PUT", drop: "after" },
      { method: "GET", path: "/application/*", after: 1, status: 502 },
    );
    const { report } = await stage.run(after);
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toMatch(
      /^the change may or may not have been made, and checking whether the change was made failed: 502 on GET .*$/,
    );
    await stage.mend();
    await expectChanged();
  });
});

describe("PUT", () => {
  test("500 for good is given up after a minute", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", status: 500 });
    const { report } = await stage.run(after, { clock: fastClock(100), limits: { busy: 600_000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toContain("could not be changed for 60 s: ");
  });

  test("a 409 is waited out", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", times: 3, status: 409 });
    await stage.succeed(after);
    expect(await stage.mend()).toBe(3);
    await expectChanged();
  });

  test("a 409 for good ends at the limit, and says why", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", status: 409 });
    const { report } = await stage.run(after, { limits: { busy: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "busy" });
    expect(report.outcomes.at(-1)?.message).toMatch(/could not be changed for 1 s: 409 on PUT .*$/);
  });

  test("what has disappeared since the plan is not made again", async () => {
    await stage.succeed(before);
    const { id } = await stage.answer("shop/staging/APPLICATION api");
    const { report } = await stage.run(after, {
      planned: () => stage.harness.api("DELETE", `/application/${String(id)}`),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "gone" });
    expect(await stage.names()).toEqual(["shop", "shop/staging"]);
  });

  test("what has changed since the plan, in what it is to change, is left alone", async () => {
    await stage.succeed(before);
    const { report } = await stage.run(after, {
      planned: () => stage.succeed([...shop, application("shop/staging/api", { cpu: 100 })]),
    });
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "changed",
      message: "the Application has changed meanwhile, in cpu",
    });
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu: 100 });
  });

  test("what another run has changed just so since the plan is not sent again", async () => {
    await stage.succeed(before);
    const { report } = await stage.succeed(after, {
      planned: async () => {
        await stage.succeed(after);
        await stage.requests();
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ already: true, message: "already up to date" });
    expect(await puts()).toBe(0);
  });

  test.each([
    ["otherwise", 100, { status: "failed", code: "changed" }],
    ["just so", 750, { status: "done", already: true }],
  ])("what another changes %s while it is waited for is left alone, too", async (_name, cpu, expected) => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", times: 1, status: 409 });
    const { report } = await stage.run([...shop, application("shop/staging/api", { cpu: 750 })], {
      clock: clockWith(() => stage.succeed([...shop, application("shop/staging/api", { cpu })])),
    });
    expect(report.outcomes.at(-1)).toMatchObject(expected);
    expect(await stage.mend()).toBe(1);
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu });
  });

  test("what others have changed since the plan, and no document states, is kept", async () => {
    await stage.succeed(before);
    await stage.succeed(after, {
      planned: () => stage.succeed([...shop, application("shop/staging/api", { memory: 1024 })]),
    });
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu: 750, memory: 1024 });
  });

  test("a name that another has taken meanwhile is not waited for", async () => {
    await stage.succeed([...shop, job("shop/staging/old")]);
    const renamed = [...shop, job("shop/staging/new", { manage: { renamed_from: "old" } })];
    const { report } = await stage.run(renamed, {
      planned: () => stage.succeed([...shop, job("shop/staging/New")]),
    });
    const { id } = await stage.answer("shop/staging/JOB New");
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "failed",
      code: "exists",
      message: `it cannot be renamed: Job ${String(id)} has the name "new"`,
    });
  });
});
