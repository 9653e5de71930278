import path from "node:path";
import { inject, type TestContext } from "vitest";
import { Stack, type StackOptions } from "./stack.ts";

/** What the engine starts where a project names the folder of the plugin. */
const pluginProgram = "pulumi-resource-infrasync";

/**
 * Makes a stack for a test with the real Pulumi engine, and removes it after the test. Its program can import this
 * package. Where there is no engine the test is skipped, with the line that says what to install.
 */
export async function makeStack(
  context: TestContext,
  options: Omit<StackOptions, "initial" | "keys">,
): Promise<Stack> {
  const engine = inject("pulumi");
  if ("missing" in engine) return context.skip(engine.missing);
  const packages = { infrasync: engine.infrasync, ...options.packages };
  const stack = await Stack.create(engine.folder, context.signal, {
    ...options,
    initial: engine.stack,
    keys: engine.keys,
    packages,
    programs: {
      infrasync: path.join(packages.infrasync, "dist", "cli", "main.js"),
      [pluginProgram]: path.join(packages.infrasync, "dist", "provider", "plugin", "main.js"),
    },
    environment: {
      // Providers keep nothing in the folder of the user.
      XDG_CACHE_HOME: path.join(engine.infrasync, "caches"),
      // Every run starts Node twice or more, with the same modules.
      NODE_COMPILE_CACHE: path.join(engine.infrasync, "compiled"),
      // A run of Pulumi ends before its memory is full, and to collect garbage takes a quarter of its start.
      GOGC: "off",
      GOMEMLIMIT: "1GiB",
      ...options.environment,
    },
  });
  context.onTestFinished(() => stack.remove());
  return stack;
}
