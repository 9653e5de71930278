import fc from "fast-check";
import { expect, test } from "vitest";
import type { Behaviour } from "../../emulator/index.ts";
import { servers } from "../conformance/assumptions/servers.ts";
import { runSeeded } from "../faults/seeded.ts";
import { ShopOnServer } from "./shop-on-server.ts";

test.each(servers)(
  "on a server with %j, a shop is made, adopted and destroyed, or refused",
  async (behaviour, _about, refused) => {
    const { refusals } = await ShopOnServer.play(behaviour);
    if (refused) expect(refusals.join("\n")).toMatch(refused);
    else expect(refusals).toEqual([]);
  },
);

/** Each run comes while lists still lack what the run before has made. */
const lagging: Behaviour[] = [
  { list_delay_ms: 150_000 },
  { list_delay_ms: 150_000, duplicate_names: true },
  { list_delay_ms: 150_000, event_delay_ms: 100_000 },
  { list_delay_ms: 150_000, clone_delay_ms: 100_000, duplicate_names: true },
  { clone_delay_ms: 100_000, duplicate_names: true },
  { cached_lists_ms: 150_000 },
  { cached_lists_ms: 150_000, duplicate_names: true },
  { empty_answers: true, list_delay_ms: 12_000, event_delay_ms: 20_000, duplicate_names: true },
  { list_delay_ms: 150_000, page_cap: 20, silent_pages: true, duplicate_names: true },
];

test.each(lagging)(
  "on a server with %j, no run makes again what the run before has made",
  async (behaviour) => {
    expect((await ShopOnServer.play(behaviour)).refusals).toEqual([]);
  },
);

const events = ["GET /organization/{organizationId}/events"];

test.each<[Behaviour, number]>([
  [{ list_delay_ms: 150_000, duplicate_names: true }, 2],
  [{ list_delay_ms: 150_000, duplicate_names: true }, 20],
  [{ cached_lists_ms: 150_000, duplicate_names: true }, 9],
  [{ list_delay_ms: 150_000, duplicate_names: true, missing_operations: events }, 9],
])(
  "on a server with %j, no machine makes again what a run that was killed after %i writes has made on another",
  async (behaviour, killedAt) => {
    expect((await ShopOnServer.play(behaviour, killedAt, "another each time")).refusals).toEqual([]);
  },
);

/** Of members that two rows state, the later one counts. */
const sets = fc.record({
  behaviour: fc
    .subarray(
      servers.map(([behaviour]) => behaviour),
      { minLength: 2, maxLength: 5 },
    )
    .map((rows): Behaviour => Object.assign({}, ...rows)),
  killedAt: fc.nat({ max: 40 }),
});

test("on servers of random sets of behaviours, nothing is there twice, and no empty plan is wrong", async () => {
  const figures = { worlds: 0, refused: 0, requests: 0 };
  await runSeeded(sets, { count: 40, seed: 7 }, async ({ behaviour, killedAt }) => {
    // It throws for a double, a loss, a plan that counts too few, and an empty plan that is not so.
    const { refusals, requests } = await ShopOnServer.play(behaviour, killedAt);
    figures.worlds += 1;
    figures.refused += refusals.length > 0 ? 1 : 0;
    figures.requests += requests;
  });
  console.log(`Random servers: ${JSON.stringify({ ...figures, doubles: 0, "false empties": 0 })}`);
  expect(figures.worlds).toBe(40);
}, 600_000);

/** Lists that come empty now and then, with a count or without. */
const emptied = fc.record({
  isSilent: fc.boolean(),
  killedAt: fc.nat({ max: 40 }),
  faults: fc.array(
    fc.record({
      path: fc.constantFrom("/organization/*/project", "/project/*/environment", "/environment/*/services"),
      after: fc.nat({ max: 12 }),
      times: fc.constantFrom(1, 2, 3, 9),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

test("on servers that answer some lists without their elements, nothing is there twice, and no empty plan is wrong", async () => {
  const figures = { worlds: 0, refused: 0, requests: 0 };
  await runSeeded(emptied, { count: 30, seed: 11 }, async ({ isSilent, killedAt, faults }) => {
    const pagination = { page: 1, page_size: 100, total_count: 0, total_pages: 0 };
    const body = { results: [], ...(!isSilent && { pagination }) };
    const { refusals, requests } = await ShopOnServer.play(
      { duplicate_names: true, silent_pages: isSilent },
      killedAt,
      "one",
      faults.map((fault) => ({ method: "GET", status: 200, body, ...fault })),
    );
    figures.worlds += 1;
    figures.refused += refusals.length > 0 ? 1 : 0;
    figures.requests += requests;
  });
  console.log(`Servers with empty lists: ${JSON.stringify({ ...figures, doubles: 0, "false empties": 0 })}`);
  expect(figures.worlds).toBe(30);
}, 600_000);
