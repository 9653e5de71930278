import { expect, test } from "vitest";
import { faultGrid, faultKinds } from "../../fixtures/fault-kinds.ts";
import { frontEnds } from "./front-ends.ts";
import { start } from "./shop.ts";
import { tenResources } from "./ten-resources.ts";

/** About as many positions as a destroy without faults sends requests, each through both front ends. */
const grid = faultGrid(12).flatMap((fault) => frontEnds.map((frontEnd) => ({ ...fault, frontEnd })));

test.for(grid)(
  "$frontEnd.name, request $position of a destroy: $kind; nothing is lost from the state that still exists, and another destroy completes it",
  async ({ position, kind, frontEnd }, context) => {
    const { server, stack } = await start(context, tenResources, {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0, errors: [] });
    await server.api("POST", "/_emulator/faults", [{ ...faultKinds[kind], after: position, times: 1 }]);

    const first = await stack.destroy();

    await server.api("DELETE", "/_emulator/faults");
    const { resources } = await stack.export();
    const known = new Set(resources.flatMap(({ id }) => id ?? []));
    for (const { id } of (await server.everything()).values()) expect(known).toContain(String(id));
    if (first.exitCode !== 0) {
      expect(first.errors.join("\n")).not.toBe("");
      expect(await stack.destroy()).toMatchObject({ exitCode: 0, errors: [] });
    }
    expect([...(await server.everything()).keys()]).toEqual([]);
  },
);
