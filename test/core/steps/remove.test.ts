import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { clockWith } from "../../fixtures/fast-clock.ts";
import { environment, job, project, shop } from "../../fixtures/documents.ts";
import { FaultyServer } from "../../fixtures/faulty-server.ts";
import {
  clientFor,
  doneAndLimited,
  doneAndUnclear,
  notDoneAndUnclear,
} from "../../fixtures/unclear-answers.ts";

let stage: FaultyServer;
beforeAll(async () => {
  stage = await FaultyServer.open({ behaviour: { delete_delay_ms: 20 } });
});
afterAll(() => stage[Symbol.asyncDispose]());
beforeEach(() => stage.reset());

const full = [...shop, job("shop/staging/a"), job("shop/staging/b")];
const pruned = [project(), environment("shop/staging", { manage: { prune: true } }), job("shop/staging/a")];
const policy = { prune: true };
const rest = ["shop", "shop/staging", "shop/staging/JOB a"];

describe("DELETE", () => {
  beforeEach(() => stage.succeed(full));

  const answers = [...doneAndUnclear, doneAndLimited, ...notDoneAndUnclear].filter(
    // Any 2xx in JSON confirms a DELETE, whatever the body.
    ([, { status, body, carry_out: isDone }]) => isDone || status !== 200 || typeof body === "string",
  );

  test.each(answers)("%s: the DELETE is repeated until the resource is gone", async (_name, fault) => {
    await stage.breaks({ method: "DELETE", times: 2, ...fault });
    await stage.succeed(pruned, { policy, client: clientFor(fault) });
    expect(await stage.names()).toEqual(rest);
  });

  test("a resource that is already gone is a success", async () => {
    const { id } = await stage.answer("shop/staging/JOB b");
    const { report } = await stage.succeed(pruned, {
      policy,
      planned: async () => {
        await stage.harness.api("DELETE", `/job/${String(id)}`);
        await stage.harness.advance(20);
        expect(await stage.names()).toEqual(rest);
      },
    });
    expect(report.outcomes.at(-1)).toMatchObject({
      type: "delete",
      status: "done",
      already: true,
      remarks: ["deleted_by_another"],
    });
  });

  test("a resource missing from the list still exists: only a 404 proves the deletion", async () => {
    const { id } = await stage.answer("shop/staging");
    await stage.succeed(pruned.slice(0, 2));
    await stage.breaks({
      path: `/environment/${String(id)}/services`,
      after: 1,
      times: 1,
      status: 200,
      body: { results: [] },
    });
    const { report } = await stage.succeed(pruned, { policy });
    expect(report.outcomes.at(-1)).toMatchObject({ type: "delete", status: "done" });
    expect(report.outcomes.at(-1)).not.toHaveProperty("already");
    expect(await stage.mend()).toBe(1);
    expect(await stage.names()).toEqual(rest);
  });

  test("the run waits while the server responds 409", async () => {
    await stage.breaks({ method: "DELETE", times: 3, status: 409 });
    await stage.succeed(pruned, { policy });
    expect(await stage.names()).toEqual(rest);
  });

  test("a permanent 409 ends at the time limit with the reason", async () => {
    await stage.breaks({ method: "DELETE", status: 409 });
    const { report } = await stage.run(pruned, { policy, limits: { deletion: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "busy" });
    expect(report.outcomes.at(-1)?.message).toMatch(/could not be deleted within 1 s: 409 on DELETE .*$/);
  });

  test("permanent errors end at the time limit with an unclear outcome", async () => {
    await stage.breaks({ method: "DELETE", drop: "before" });
    const { report } = await stage.run(pruned, { policy, limits: { deletion: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
  });

  test("the run gives up after a minute of 500", async () => {
    await stage.breaks({ method: "DELETE", status: 500 });
    const { report } = await stage.run(pruned, { policy });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "unclear" });
    expect(report.outcomes.at(-1)?.message).toContain("could not be deleted within 60 s: ");
  });

  test("a deletion that takes longer than the time limit is pending, and the next run continues with it", async () => {
    await using slow = await FaultyServer.open({ behaviour: { delete_delay_ms: 3000 } });
    await slow.succeed(full);
    const { report } = await slow.run(pruned, { policy, limits: { deletion: 1000 } });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "pending", code: "pending" });
    expect(await slow.names()).toHaveLength(4);
    await slow.succeed(pruned, { policy });
    expect(await slow.names()).toEqual(rest);
  });

  test("a resource that has changed since the plan is not deleted", async () => {
    const { report } = await stage.run(pruned, {
      policy,
      planned: () => stage.succeed([...shop, job("shop/staging/b", { cpu: 100 })]),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ status: "failed", code: "changed" });
    expect(await stage.names()).toHaveLength(4);
  });

  test("a resource that another client deletes during the wait counts as gone already", async () => {
    const { id } = await stage.answer("shop/staging/JOB b");
    await stage.breaks({ method: "DELETE", times: 1, status: 409 });
    const { report } = await stage.succeed(pruned, {
      policy,
      clock: clockWith(stage.harness.clock, async () => {
        await stage.harness.api("DELETE", `/job/${String(id)}`);
        await stage.harness.advance(20);
        expect(await stage.names()).toEqual(rest);
      }),
    });
    expect(report.outcomes.at(-1)).toMatchObject({ type: "delete", status: "done", already: true });
    expect(await stage.mend()).toBe(1);
  });

  test.each([
    ["changes", "reconcile", pruned, job("shop/staging/b", { cpu: 100 })],
    ["makes", "destroy", full, job("shop/staging/new")],
  ] as const)(
    "a resource that another client %s during the wait is not deleted",
    async (_name, goal, documents, meanwhile) => {
      const { report } = await stage.run(documents, {
        policy,
        goal,
        planned: () => stage.breaks({ method: "DELETE", times: 1, status: 409 }),
        clock: clockWith(stage.harness.clock, () => stage.succeed([...shop, meanwhile])),
      });
      expect(report.outcomes.filter(({ status }) => status === "failed")).toMatchObject([
        { code: "changed" },
      ]);
      expect(await stage.names()).toContain(`shop/staging/JOB ${String(meanwhile["name"])}`);
      expect(await stage.mend()).toBe(1);
    },
  );

  test("a 404 for the list of an existing environment does not make its services look deleted", async () => {
    await stage.breaks({ method: "GET", path: "/environment/*/services", status: 404 });
    const { plan } = await stage.run(full);
    expect(plan.actions.map(({ type }) => type)).toEqual(["none", "none", "none", "none"]);
  });

  test("a 404 for the list of an existing project does not make its environments look deleted", async () => {
    await stage.breaks({ method: "GET", path: "/project/*/environment", status: 404 });
    const failed = await stage.run(full).catch((error: unknown) => String(error));
    expect(failed).toMatch(/GET \/project\/\S+: 404, although the Project exists/);
    await stage.mend();
    expect(await stage.names()).toHaveLength(4);
  });

  test.each([401, 403, 500])("a %i for a list does not mean that a resource is gone", async (status) => {
    await stage.breaks({ method: "GET", path: "/environment/*/services", status });
    const failed = await stage.run(full).catch((error: unknown) => String(error));
    expect(failed).toMatch(new RegExp(`${status} on GET /environment`));
    await stage.mend();
    expect(await stage.names()).toHaveLength(4);
  });
});
