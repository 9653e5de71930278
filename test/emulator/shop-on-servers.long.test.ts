import { expect, test } from "vitest";
import fc from "fast-check";
import type { Behaviour } from "../../emulator/index.ts";
import { servers } from "../conformance/assumptions/servers.ts";
import { runSeeded } from "../faults/seeded.ts";
import { ShopOnServer } from "./shop-on-server.ts";

/** Behaviours that two rows state are those of the later one. */
const sets = fc.record({
  behaviour: fc
    .subarray([...servers.map(([behaviour]) => behaviour)], { minLength: 2, maxLength: 5 })
    .map((rows): Behaviour => Object.assign({}, ...rows)),
  killedAt: fc.nat({ max: 40 }),
});

test("on servers of random sets of behaviours, nothing is there twice, and nothing of others is gone", async () => {
  const figures = { worlds: 0, refused: 0, requests: 0 };
  await runSeeded(sets, { count: 60, seed: 7 }, async ({ behaviour, killedAt }) => {
    const { refusals, requests } = await ShopOnServer.play(behaviour, killedAt);
    figures.worlds += 1;
    figures.refused += refusals.length > 0 ? 1 : 0;
    figures.requests += requests;
  });
  console.log(figures);
  expect(figures.worlds).toBeGreaterThan(0);
});
