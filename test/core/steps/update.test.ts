import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fields } from "../../../core/values/json.ts";
import { clockWith } from "../../fixtures/fast-clock.ts";
import { application, job, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import { clientFor, doneAndUnclear, notDoneAndUnclear } from "../../fixtures/unclear-answers.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open();
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

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

describe("PUT with an unclear outcome", () => {
  beforeEach(async () => {
    await stage.succeed(before);
    await stage.requests();
  });

  test.each(doneAndUnclear)(
    "%s after the server carried it out: the resource is read, and the PUT is not repeated",
    async (_name, fault) => {
      await stage.breaks({ method: "PUT", times: 1, ...fault });
      await stage.succeed(after, { client: clientFor(fault) });
      expect(await puts()).toBe(1);
      await expectChanged();
    },
  );

  test.each(notDoneAndUnclear.filter(([, { body }]) => !Array.isArray(body)))(
    "%s before the server carried it out: the resource is read, and the PUT is repeated",
    async (_name, fault) => {
      await stage.breaks({ method: "PUT", times: 1, ...fault });
      await stage.succeed(after, { client: clientFor(fault) });
      expect(await puts()).toBe(2);
    },
  );

  test("the reads fail too: the outcome is reported as unknown, and the next run continues", async () => {
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
  test("the run gives up after a minute of 500", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", status: 500 });
    const { report } = await stage.run(after, { limits: { busy: 600_000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toContain("could not be changed within 60 s: ");
  });

  test("the run waits while the server responds 409", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", times: 3, status: 409 });
    await stage.succeed(after);
    expect(await stage.mend()).toBe(3);
    await expectChanged();
  });

  test("a permanent 409 ends at the time limit with the reason", async () => {
    await stage.succeed(before);
    await stage.breaks({ method: "PUT", status: 409 });
    const { report } = await stage.run(after, { limits: { busy: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "busy" });
    expect(report.outcomes.at(-1)?.message).toMatch(/could not be changed within 1 s: 409 on PUT .*$/);
  });

  test("a resource that has disappeared since the plan is not created again", async () => {
    await stage.succeed(before);
    const { id } = await stage.answer("shop/staging/APPLICATION api");
    const { report } = await stage.run(after, {
      planned: () => stage.harness.api("DELETE", `/application/${String(id)}`),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "gone" });
    expect(await stage.names()).toEqual(["shop", "shop/staging"]);
  });

  test("a resource whose planned fields have changed since the plan is not updated", async () => {
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

  test("an update that another run has made since the plan is not repeated", async () => {
    await stage.succeed(before);
    const { report } = await stage.succeed(after, {
      planned: async () => {
        await stage.succeed(after);
        await stage.requests();
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({ already: true, remarks: ["already_as_planned"] });
    expect(await puts()).toBe(0);
  });

  test.each([
    ["otherwise", 100, { status: "failed", code: "changed" }],
    ["just so", 750, { status: "done", already: true }],
  ])(
    "a resource that another client changes %s during the wait is not updated",
    async (_name, cpu, expected) => {
      await stage.succeed(before);
      await stage.breaks({ method: "PUT", times: 1, status: 409 });
      const { report } = await stage.run([...shop, application("shop/staging/api", { cpu: 750 })], {
        clock: clockWith(stage.harness.clock, () =>
          stage.succeed([...shop, application("shop/staging/api", { cpu })]),
        ),
      });
      expect(report.outcomes.at(-1)).toMatchObject(expected);
      expect(await stage.mend()).toBe(1);
      expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu });
    },
  );

  test("undeclared fields that others have changed since the plan are kept", async () => {
    await stage.succeed(before);
    await stage.succeed(after, {
      planned: () => stage.succeed([...shop, application("shop/staging/api", { memory: 1024 })]),
    });
    expect(await stage.answer("shop/staging/APPLICATION api")).toMatchObject({ cpu: 750, memory: 1024 });
  });

  test("a name that another resource has taken meanwhile ends the update at once", async () => {
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

describe("a change of which only the first request succeeds is not reported as no change", () => {
  const withVariables = (cpu: number, variables: Fields) => [
    ...shop,
    application("shop/staging/api", { cpu, variables }),
  ];
  const refusal = { method: "POST", path: "/variable", status: 400 };

  test.each([
    ["the fields, then a variable", withVariables(750, { A: { value: "1" } }), refusal],
    [
      "a variable, then another",
      withVariables(250, { OLD: { value: "1" }, LAST: { value: "1" } }),
      { method: "PUT", path: "/variable/*", status: 400, after: 1 },
    ],
  ])("%s", async (_name, documents, fault) => {
    await stage.succeed(withVariables(250, { OLD: { value: "0" }, LAST: { value: "0" } }));
    await stage.breaks(fault);
    const { report } = await stage.run(documents);
    expect(report.outcomes.at(-1)).toMatchObject({
      status: "pending",
      message: expect.stringMatching(/^part of the change has been made, and the next step failed: 400 on P/),
    });
  });
});
