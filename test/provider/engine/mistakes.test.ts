import { expect, test } from "vitest";
import { frontEndsOf } from "./front-ends.ts";
import { program, start } from "./shop.ts";

test.for(frontEndsOf(import.meta.filename))(
  "$name: where the engine goes on after an error, it reports the mistakes of all resources, and a name without end is cut",
  async (frontEnd, context) => {
    const text = program(`
      new Project("first", { name: "first", descrption: "typo" });
      new Project("second", { name: "${"n".repeat(5000)}" });
      new Project("third", { name: "third", description: 5 });
    `);
    const { stack, server } = await start(context, text, {}, frontEnd);
    const { exitCode, errors, stdout } = await stack.up("--continue-on-error");
    expect(exitCode).not.toBe(0);
    const all = errors.join("\n");
    expect(all).toContain('a Project has no input "descrption"; did you mean description?');
    expect(all).toContain("has more than 1000 characters");
    expect(all).toContain("description must be a text");
    expect(all + stdout).not.toContain("n".repeat(300));
    expect(await server.seen()).toEqual([]);
  },
);
