import { expect, test } from "vitest";
import { EventLog } from "../../../../core/state/events/index.ts";
import { useHarness } from "../../../fixtures/use-harness.ts";

const harness = useHarness();

/** Makes events of a project, one each. */
async function happen(id: string, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1)
    await harness.api("PUT", `/project/${id}`, { name: "shop", description: `turn ${turn}` });
}

async function refresh(log: EventLog): Promise<{ requests: number; events: number; state: string }> {
  await harness.forgetRequests();
  const { events, state } = await log.refresh(harness.client, harness.organization.id);
  return { requests: (await harness.seen()).length, events: events.length, state };
}

test("a look reads the pages of new events and at most two more, however many came in the last ten minutes", async () => {
  await harness.reconcile("kind: Project\nname: shop\n");
  const id = await harness.idOf("shop");
  const log = new EventLog();
  await refresh(log);
  await happen(id, 450);
  expect(await refresh(log)).toEqual({ requests: 5, events: 450, state: "whole" });
  expect(await refresh(log)).toEqual({ requests: 1, events: 0, state: "whole" });
  await happen(id, 3);
  expect(await refresh(log)).toEqual({ requests: 2, events: 3, state: "whole" });
  await harness.advance(11 * 60_000);
  await refresh(log);
  expect(await refresh(log)).toEqual({ requests: 1, events: 0, state: "whole" });
});

test("more than two thousand new events are no gap", async () => {
  await harness.reconcile("kind: Project\nname: shop\n");
  const id = await harness.idOf("shop");
  const log = new EventLog();
  await refresh(log);
  await happen(id, 2_150);
  expect(await refresh(log)).toEqual({ requests: 22, events: 2_150, state: "whole" });
});
