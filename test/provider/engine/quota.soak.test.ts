import { expect, test } from "vitest";
import { chosenFrontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

const text = program(`new Project("shop", { name: "shop" });`);

test.for(chosenFrontEnds)(
  "$name: an up that waits for the quota reports the end of the wait",
  async (frontEnd, context) => {
    const { server, stack } = await start(context, text, {}, frontEnd);
    await server.api("POST", "/_emulator/faults", [
      { status: 429, headers: { "retry-after": "1" }, after: 1, times: 1 },
    ]);
    const run = await stack.up();
    expect(run).toMatchObject({ exitCode: 0, errors: [], steps: ["create Project shop"] });
    expect(run.stdout).toMatch(
      /The server takes no requests for a while \(429\); continuing in \d+ s, at \d\d:\d\d:\d\d UTC[^]*1 (?:message|warning)/,
    );
  },
);
