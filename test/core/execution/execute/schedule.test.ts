import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parseAddress } from "../../../../core/model/addresses/address.ts";
import { runInOrder } from "../../../../core/execution/execute/turns.ts";
import { type Action, makeAction } from "../../../../core/planning/plan/index.ts";

const address = parseAddress("job:shop/staging/a");
if (!address) throw new Error("there is no such address");
const base = { address, parent: { id: "staging" } };

function create(id: string, ...after: string[]): Action {
  return makeAction({ ...base, id, after, type: "create" });
}

function remove(id: string, ...after: string[]): Action {
  return makeAction({ ...base, id, after, type: "delete", afterOthers: true, resourceId: id });
}

/**
 * The starts and ends of actions, in order: `a+`, `a-`. Each action takes the given number of turns of the event
 * loop, one by default.
 */
async function orderOf(
  actions: readonly Action[],
  durations: Record<string, number> = {},
  parallelism = 10,
): Promise<string[]> {
  const events: string[] = [];
  await runInOrder(actions, parallelism, async ({ id }) => {
    events.push(`${id}+`);
    for (let turns = durations[id] ?? 1; turns > 0; turns -= 1) await turn();
    events.push(`${id}-`);
  });
  return events;
}

describe("the order in which actions run", () => {
  test("an action starts after the actions in `after` have ended, in any order of the plan", async () => {
    expect(await orderOf([create("c", "b"), create("b", "a"), create("a")])).toEqual([
      "a+",
      "a-",
      "b+",
      "b-",
      "c+",
      "c-",
    ]);
  });

  test("independent actions run at the same time", async () => {
    const events = await orderOf([create("a"), create("b"), create("c", "a")], { b: 20 });
    expect(events.slice(0, 2)).toEqual(["a+", "b+"]);
    expect(events.indexOf("c+")).toBeLessThan(events.indexOf("b-"));
  });

  test("no more actions run at a time than the limit", async () => {
    const events = await orderOf([create("a"), create("b"), create("c")], {}, 1);
    expect(events).toEqual(["a+", "a-", "b+", "b-", "c+", "c-"]);
  });

  test("deletions run after all other actions, and in their own order", async () => {
    const events = await orderOf(
      [remove("parent", "inside"), remove("inside"), create("a"), create("b", "a")],
      { b: 30 },
    );
    expect(events).toEqual(["a+", "a-", "b+", "b-", "inside+", "inside-", "parent+", "parent-"]);
  });

  test("an id in `after` without an action delays nothing", async () => {
    expect(await orderOf([create("a", "none of this plan")])).toEqual(["a+", "a-"]);
  });

  test("each action runs once, however many actions depend on it", async () => {
    const events = await orderOf([create("a"), create("b", "a"), create("c", "a"), remove("d", "a")]);
    expect(events.filter((event) => event === "a+")).toHaveLength(1);
    expect(events).toHaveLength(8);
  });

  test("a deletion that waits for no others runs beside them", async () => {
    const early = { ...remove("early"), afterOthers: false } as Action;
    const events = await orderOf([create("a"), create("b", "a"), early]);
    expect(events.indexOf("early+")).toBeLessThan(events.indexOf("a-"));
  });

  test("an action can wait for a deletion that waits for no others", async () => {
    const early = { ...remove("early"), afterOthers: false } as Action;
    expect(await orderOf([create("a", "early"), early])).toEqual(["early+", "early-", "a+", "a-"]);
  });

  test.each([
    ["two actions", [create("a", "b"), create("b", "a"), create("c")], '"a", "b"'],
    ["an action and the deletion that waits for it", [create("a", "gone"), remove("gone")], '"a", "gone"'],
    ["an action itself", [create("a", "a")], '"a"'],
  ])("actions that wait for each other are refused before any of them runs: %s", async (_, actions, ids) => {
    const ran: string[] = [];
    const running = runInOrder(actions, 10, async ({ id }) => void ran.push(id));
    await expect(running).rejects.toThrow(`these actions wait for each other: ${ids}`);
    expect(ran).toEqual([]);
  });

  test("a chain of 20,000 actions runs", async () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      index === 0 ? create("0") : create(String(index), String(index - 1)),
    ).toReversed();
    let count = 0;
    await runInOrder(chain, 10, async () => void (count += 1));
    expect(count).toBe(20_000);
  });
});
