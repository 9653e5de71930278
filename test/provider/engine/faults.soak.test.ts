import { expect, test } from "vitest";
import { faultGrid, faultKinds } from "../../fixtures/fault-kinds.ts";
import { frontEnds } from "./front-ends.ts";
import { nothing, start } from "./shop.ts";
import { expectWhole, tenResources } from "./ten-resources.ts";

/** About as many positions as an `up` without faults sends requests, each through both front ends. */
const grid = faultGrid(17).flatMap((fault) => frontEnds.map((frontEnd) => ({ ...fault, frontEnd })));

let runs = 0;
let hit = 0;
let mended = 0;

test.for(grid)(
  "$frontEnd.name, request $position of an up: $kind; another up completes it, without a duplicate or an orphan",
  async ({ position, kind, frontEnd }, context) => {
    const { server, stack } = await start(context, tenResources, {}, frontEnd);
    await server.api("POST", "/_emulator/faults", [{ ...faultKinds[kind], after: position, times: 1 }]);
    const first = await stack.up();
    runs += 1;
    hit += (await server.seen()).filter((request) => "fault" in request).length;
    await server.api("DELETE", "/_emulator/faults");
    if (first.exitCode !== 0) {
      mended += 1;
      expect(first.errors.join("\n")).not.toBe("");
      expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    }
    await expectWhole(server, stack);
    expect(await stack.up("--refresh")).toMatchObject(nothing);
  },
);

test("nearly all of these faults were applied", { concurrent: false }, () => {
  console.info(`${runs} runs of the Pulumi engine met ${hit} faults, ${mended} of them needed another up`);
  expect(hit).toBeGreaterThanOrEqual(runs * 0.9);
});
