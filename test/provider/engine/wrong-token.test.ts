import { expect, test } from "vitest";
import { frontEnds } from "./front-ends.ts";
import { program, start } from "./shop.ts";

test.for(frontEnds)(
  "$name: with a wrong token, a refresh and an up with a refresh end, and say so",
  async (frontEnd, context) => {
    const { stack } = await start(context, program(`new Project("shop", { name: "shop" });`), {}, frontEnd);
    expect(await stack.up()).toMatchObject({ exitCode: 0 });
    stack.environment["INFRASYNC_TOKEN"] = "wrong";
    for (const run of [() => stack.refresh(), () => stack.up("--refresh")]) {
      const { exitCode, errors } = await run();
      expect(exitCode).not.toBe(0);
      expect(errors.join("\n")).toContain("401");
      expect(errors.join("\n")).toContain("The token comes from INFRASYNC_TOKEN.");
      expect(errors.join("\n")).not.toMatch(/^\s+at /m);
    }
  },
);
