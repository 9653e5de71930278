import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { staleProblems } from "../../../core/index.ts";
import { LiveStore } from "../../../core/live/index.ts";
import { job, shop } from "../../fixtures/manifests.ts";
import { Harness } from "../../fixtures/harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await Harness.start();
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.api("POST", "/_emulator/reset"));

describe("a saved plan", () => {
  test("is stale when a resource of the plan has changed, appeared or disappeared", async () => {
    await harness.reconcile(shop + job("a") + job("gone"));
    const plan = await harness.plan(shop + job("a", "cpu: 750") + job("gone", "cpu: 750") + job("new"));
    expect(await staleProblems({ client: harness.client, live: new LiveStore() }, plan)).toEqual([]);
    await harness.reconcile(shop + job("a", "memory: 1024") + job("new"));
    await harness.api("DELETE", `/job/${await harness.idOf("shop/staging/JOB gone")}`);
    expect(
      (await staleProblems({ client: harness.client, live: new LiveStore() }, plan)).map(
        ({ message }) => message,
      ),
    ).toEqual([
      "the plan is stale: job:shop/staging/a has changed since",
      "the plan is stale: job:shop/staging/gone has disappeared since",
      "the plan is stale: job:shop/staging/new has appeared since",
    ]);
  });
});
