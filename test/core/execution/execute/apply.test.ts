import { describe, expect, test } from "vitest";
import { formatAddress } from "../../../../core/index.ts";
import { job, shop } from "../../../fixtures/manifests.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

describe("apply", () => {
  test("a failure stops the dependent actions, not the others", async () => {
    await harness.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/project/*/environment", status: 400, times: 1 },
    ]);
    const counted: string[] = [];
    const report = await harness.apply(
      await harness.plan(`${shop + job("a")}\n---\nkind: Project\nname: other\n`),
      {},
      { onProgress: ({ finished, total }) => counted.push(`${finished}/${total}`) },
    );
    expect(report.outcomes.map(({ address, status }) => `${formatAddress(address)} ${status}`)).toEqual([
      "project:shop done",
      "environment:shop/staging failed",
      "job:shop/staging/a skipped",
      "project:other done",
    ]);
    expect(report.outcomes[2]?.message).toBe("needs environment:shop/staging, which was not done");
    // What is skipped has not been finished.
    expect(counted.at(-1)).toBe("3/4");
  });

  test.each([401, 403])("a %i in the middle stops every action that has not started", async (status) => {
    await harness.api("POST", "/_emulator/faults", [
      { method: "POST", path: "/environment/*/job", status, after: 1 },
    ]);
    const report = await harness.apply(
      await harness.plan(shop + ["a", "b", "c", "d"].map((name) => job(name)).join("")),
    );
    expect(report.stopped?.reason).toBe(status === 401 ? "unauthorized" : "forbidden");
    await harness.api("DELETE", "/_emulator/faults");
    await harness.reconcile(shop + ["a", "b", "c", "d"].map((name) => job(name)).join(""));
    expect((await harness.everything()).size).toBe(6);
  });

  test("an aborted run starts no more actions and reports the abort", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const report = await harness.apply(
      await harness.plan(shop + job("a")),
      { signal },
      { onProgress: ({ event }) => event === "finished" && controller.abort() },
    );
    expect(report.stopped?.reason).toBe("interrupted");
    expect(report.outcomes.map(({ status }) => status)).toEqual(["done", "skipped", "skipped"]);
    expect([...(await harness.everything()).keys()]).toEqual(["shop"]);
  });
});
