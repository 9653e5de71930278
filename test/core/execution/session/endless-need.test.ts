import { expect, test } from "vitest";
import { propose, startRun } from "../../../../core/execution/session/index.ts";
import { LiveStore } from "../../../../core/state/live/index.ts";
import { fastClock } from "../../../fixtures/fast-clock.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { shop } from "../../../fixtures/manifests.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { Harness } from "../../../fixtures/harness.ts";

test("a store that keeps no values ends planning with an error that names the value", async () => {
  await using harness = await Harness.start();
  // Every value expires at once.
  const live = new LiveStore(fastClock(), -1);
  const context = startRun(harness.client, { live });
  const { resources } = desiredOf(shop);
  await expect(propose(context, harness.organization, "reconcile", resources, openPolicy)).rejects.toThrow(
    "internal error: the planner asks again for lists that were read 3 times: the contents of the organization;",
  );
});
