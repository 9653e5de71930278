import { expect, test } from "vitest";
import { dynamicProvider } from "./front-ends.ts";
import { program, start } from "./shop.ts";

test("dynamic: a resource takes no stack trace for each of its promises, and an error of the program says where it is", async (context) => {
  const { stack } = await start(
    context,
    program(`
      const assert = process.getBuiltinModule("node:assert");
      const { prepareStackTrace, stackTraceLimit } = Error;
      let traces = 0;
      Error.prepareStackTrace = (error, frames) => {
        if (frames.length > 0) traces += 1;
        return prepareStackTrace ? prepareStackTrace(error, frames) : String(error);
      };
      new Project("shop", { name: "shop" });
      Error.prepareStackTrace = prepareStackTrace;
      assert.ok(traces < 5, \`\${traces} stack traces\`);
      assert.throws(() => new Project("", { name: "depot" }), { stack: /Missing resource name.*\\n[^]*program.index/ });
      assert.equal(Error.stackTraceLimit, stackTraceLimit);
    `),
    {},
    dynamicProvider,
    { usesLanguageHost: true },
  );
  expect(await stack.preview()).toMatchObject({ exitCode: 0, errors: [] });
});
