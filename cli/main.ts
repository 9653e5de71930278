#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { exitCodes, interruptionCode } from "./exit-codes.ts";

// What is imported from here on starts in two thirds of the time.
enableCompileCache();
// The YAML parser asks for a variable of the environment at every token, and each time Node asks the system: that
// would be a tenth of the time of a large plan.
Object.defineProperty(process, "env", { value: { ...process.env } });
const { run } = await import("./run.ts");
const { wholeOutput } = await import("./terminal/whole-output.ts");

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (interruption.signal.aborted) process.exit(interruptionCode(interruption.signal));
    interruption.abort(name);
  });
}

const { stdin, env } = process;
const user = process.geteuid?.();
const stdout = wholeOutput(process.stdout);
const stderr = wholeOutput(process.stderr);
let unwritten = false;
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Nobody reads any more, as in `infrasync plan | head`: what is under way goes on all the same.
    if (error.code === "EPIPE" || unwritten) return;
    unwritten = true;
    stderr.write(`error: the output could not be written: ${error.message}\n`);
  });
}

// Nothing is under way any more, and the run has not ended: a promise that never settles. Node would end without a word.
process.on("beforeExit", () => {
  process.stderr.write(
    "error: the run stopped unexpectedly, and some changes may have been made; run the command again to continue\n",
  );
  process.exit(exitCodes.failed);
});

const code = await run(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  user,
  signal: interruption.signal,
});
// A pipe that is read slowly has to get everything before the process ends; the callback also comes after an error.
for (const stream of [stdout, stderr]) await new Promise((resolve) => stream.write("", resolve));
process.exit(unwritten && code === exitCodes.done ? exitCodes.failed : code);
