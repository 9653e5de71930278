import { createRequire } from "node:module";
import { Readable, Writable } from "node:stream";
import type * as Sources from "../../cli/command-line.ts";
import { programs } from "../fixtures/programs.ts";
import type { CommandLine, CommandMessage } from "./command-pool.ts";

// The program of this file: runs one command line after the other, with the bundle that the package ships.
const { runCommandLine } = createRequire(import.meta.url)(programs.commandLineModule) as typeof Sources;

process.on("message", (commandLine: CommandLine) => void run(commandLine));

async function run({ folder, args, env }: CommandLine): Promise<void> {
  process.chdir(folder);
  const code = await runCommandLine(args, {
    stdin: Readable.from([]),
    stdout: outputTo(1),
    stderr: outputTo(2),
    env,
    user: process.geteuid?.(),
    signal: new AbortController().signal,
  });
  send({ code });
}

function outputTo(descriptor: 1 | 2): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      send({ descriptor, text: String(chunk) });
      done();
    },
  });
}

function send(message: CommandMessage): void {
  process.send?.(message);
}
