import { expect, test } from "vitest";
import { propose } from "../../../../core/execution/session/index.ts";
import { desiredOf } from "../../../fixtures/desired.ts";
import { openPolicy } from "../../../fixtures/policy.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";
import { jobs, minute } from "./cache-files/runs.ts";

const harness = useHarness({ clock: "frozen" });
const text = jobs(2, 5);

/** A plan that destroys everything, and what it costs to carry it out after a time at a prompt. */
async function destroyAfter(milliseconds: number, meddle: () => Promise<void> = async () => undefined) {
  await harness.reconcile(text);
  await harness.advance(minute);
  const run = harness.context();
  const policy = { ...openPolicy, isForThisRun: true };
  const { plan } = await propose(run, harness.organization, "destroy", desiredOf(text).resources, policy);
  await meddle();
  await harness.advance(milliseconds);
  await harness.forgetRequests();
  const { outcomes } = await harness.apply(plan, run);
  return { outcomes, requests: (await harness.seen()).length };
}

const changeVariable = async () => {
  const id = await harness.idOf("shop/e0/JOB j1");
  const variables = await harness.results(`/variable?parent_id=${id}&scope=JOB`);
  const variable = variables.find(({ key }) => key === "LEVEL");
  await harness.api("PUT", `/variable/${String(variable?.["id"])}`, {
    key: variable?.["key"],
    value: "manually",
  });
};

test("a destroy that a person reads for a minute costs what it costs at once, and a look at the events at most", async () => {
  const atOnce = await destroyAfter(0);
  const afterPrompt = await destroyAfter(minute);
  for (const { outcomes } of [atOnce, afterPrompt])
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => "done"));
  expect(afterPrompt.requests).toBeLessThanOrEqual(atOnce.requests + 1);
});

test.each([
  ["changes a variable", () => changeVariable()],
  [
    "adds a service",
    async () => {
      const id = await harness.idOf("shop/e1");
      await harness.api("POST", `/environment/${id}/application`, {
        name: "new",
        git_repository: { url: "https://github.com/acme/api.git", branch: "main", provider: "GITHUB" },
        healthchecks: {},
      });
    },
  ],
])("where somebody %s while a person reads the plan, the deletion stops", async (_what, meddle) => {
  const { outcomes } = await destroyAfter(minute, meddle);
  expect(outcomes.flatMap(({ message = [] }) => message).join()).toContain("since the plan was made");
  expect(await harness.idOf("shop")).toBeDefined();
});

test("where the server gives no events, a deletion reads everything again", async () => {
  const blind = await destroyAfter(minute, async () => {
    await harness.api("POST", "/_emulator/faults", [
      { method: "GET", path: "/organization/*/events", status: 403 },
    ]);
    await changeVariable();
  });
  expect(blind.outcomes.flatMap(({ message = [] }) => message).join()).toContain("since the plan was made");
});
