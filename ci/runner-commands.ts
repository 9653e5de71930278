import { randomUUID } from "node:crypto";
import type { Console } from "../cli/terminal/console.ts";

/** Keeps the runner of GitHub from taking values, which others write, as commands such as `::add-mask::` or `##[set-output]`. */
export function stopRunnerCommands(console: Console): void {
  const { env, stdout, stderr } = console.io;
  if (env["GITHUB_ACTIONS"] !== "true") return;
  // A JSON document is alone on stdout, and the runner reads both streams.
  const streams = console.json ? [stderr] : [stdout, stderr];
  const mark = randomUUID();
  for (const stream of streams) stream.write(`::stop-commands::${mark}\n`);
  console.atEnd(() => {
    streams[0]?.write(`::${mark}::\n`);
  });
}
