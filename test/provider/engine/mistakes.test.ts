import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { program, start } from "./shop.ts";

// The engine ends a run at the first resource that fails its check, with `--continue-on-error` too.
test.for(frontEndsOf(import.meta.filename))(
  "$name: a preview reports all mistakes of a resource, and cuts a name without end",
  async (frontEnd, context) => {
    const text = program(`new Project("first", { name: "${"n".repeat(5000)}", descrption: "typo" });`);
    const { stack, server } = await start(context, text, {}, frontEnd);
    const { exitCode, errors, stdout } = await stack.preview();
    expect(exitCode).not.toBe(0);
    const all = errors.join("\n");
    expect(all).toContain('a Project has no input "descrption"; did you mean description?');
    expect(all).toContain("has more than 1000 characters");
    expect(all + stdout).not.toContain("n".repeat(300));
    expect(await server.seen()).toEqual([]);
  },
);
