import { setFlagsFromString } from "node:v8";
import { endWithEngine, engineAddressIn } from "../lifecycle/index.ts";
import { startPlugin } from "./server.ts";
import { packageVersion } from "./types.ts";

/** Serves the engine that has started this process, until it ends. */
export async function runPlugin(): Promise<void> {
  // Keeps the space for new objects small: a plugin is one of several processes of a run.
  setFlagsFromString("--semi-space-growth-factor=1");
  const address = engineAddressIn(process.argv);

  const { port, engine } = await startPlugin({
    environment: process.env,
    version: packageVersion(),
    engineAddress: address,
  });

  // One failure must not end the run for all other resources.
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => {
      engine.tell("error", `infrasync has a bug: ${error instanceof Error ? error.stack : String(error)}`);
    });

  if (address !== undefined) endWithEngine(address);

  // An engine that was killed earlier does not read any more.
  process.stdout.on("error", () => process.exit());

  // The first line that the engine reads is the port, and nothing may stand before it.
  process.stdout.write(`${port}\n`);
}
