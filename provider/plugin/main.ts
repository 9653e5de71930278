#!/usr/bin/env node
import { packageVersion } from "./version.ts";
import { startPlugin } from "./server.ts";

/** Milliseconds between looks at the parent process. */
const watchInterval = 500;

const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
const parent = process.ppid;

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

// The engine ends its plugins, but not when it is killed itself.
setInterval(() => {
  if (process.ppid !== parent) process.exit();
}, watchInterval);

// An engine that was killed earlier does not read any more.
process.stdout.on("error", () => process.exit());

// The first line that the engine reads is the port, and nothing may stand before it.
process.stdout.write(`${port}\n`);
