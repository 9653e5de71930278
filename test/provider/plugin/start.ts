import { onTestFinished } from "vitest";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { startPlugin } from "../../../provider/plugin/server.ts";
import type { Fields } from "../../../core/values/json.ts";
import { Harness } from "../../fixtures/harness.ts";
import { PluginClient } from "./plugin-client.ts";

/** A plugin in this process, with a client of it that has configured it for a server of its own. */
export async function start(
  options: { emulator?: EmulatorOptions; config?: Fields; environment?: NodeJS.ProcessEnv } = {},
): Promise<{ server: Harness; plugin: PluginClient }> {
  const server = await Harness.start(options.emulator);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const plugin = await startAgain(server, options);
  await server.forgetRequests();
  return { server, plugin };
}

/** One more plugin for a server: the next run of the engine. */
export async function startAgain(
  server: Harness,
  options: { config?: Fields; environment?: NodeJS.ProcessEnv } = {},
): Promise<PluginClient> {
  const { port, stop } = await startPlugin({ environment: options.environment ?? {}, version: "1.2.3" });
  const plugin = new PluginClient(port);
  onTestFinished(() => {
    plugin.close();
    stop();
  });
  const { url, tokens } = server.emulator;
  await plugin.configure({ baseUrl: url, token: tokens.admin, cloneTimeout: "2s", ...options.config });
  return plugin;
}
