import { expect, test } from "vitest";
import { Harness } from "../../fixtures/harness.ts";
import { makeStack } from "./make-stack.ts";
import { nothing, program } from "./shop.ts";

test("a CommonJS program uses the provider as an ESM program does; a resource takes no stack trace for each of its promises, and an error of the program says where it is", async (context) => {
  const server = await Harness.start();
  context.onTestFinished(() => server[Symbol.asyncDispose]());
  const stack = await makeStack(context, {
    program: "",
    files: {
      "index.ts": program(`
        declare const module: object | undefined;
        export const kindOfModule = typeof module;
      const assert = process.getBuiltinModule("node:assert");
      const { prepareStackTrace, stackTraceLimit } = Error;
      let traces = 0;
      Error.prepareStackTrace = (error, frames) => {
        if (frames.length > 0) traces += 1;
        return prepareStackTrace ? prepareStackTrace(error, frames) : String(error);
      };
        export const shop = new Project("shop", { name: "shop" });
      Error.prepareStackTrace = prepareStackTrace;
      assert.ok(traces < 5, \`\${traces} stack traces\`);
      assert.throws(() => new Project("", { name: "depot" }), { stack: /Missing resource name.*\\n[^]*program.index/ });
      assert.equal(Error.stackTraceLimit, stackTraceLimit);
      `),
      "package.json": JSON.stringify({ name: "test", main: "index.ts" }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "nodenext", target: "es2022", strict: true },
      }),
    },
    environment: {
      INFRASYNC_BASE_URL: server.emulator.url,
      INFRASYNC_TOKEN: server.emulator.tokens.admin,
      // The package under test is compiled without types.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    },
  });
  const up = await stack.up();
  expect(up).toMatchObject({ exitCode: 0, errors: [], steps: ["create Project shop"] });
  expect(up.stdout).toMatch(/kindOfModule *: "object"/);
  expect([...(await server.everything()).keys()]).toEqual(["shop"]);
  expect(await stack.refresh()).toMatchObject(nothing);
});
