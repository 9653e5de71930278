import { PassThrough, Writable } from "node:stream";
import type { Console } from "../terminal/console.ts";

/** The output of a command line, and its exit code. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, with other environment variables, and without a terminal. */
export async function runInside(
  args: readonly string[],
  { io, runCommandLine }: Console,
  env: Readonly<Record<string, string | undefined>> = io.env,
): Promise<Ran> {
  if (!runCommandLine) throw new TypeError("there is no command line to run inside");
  const stdin = new PassThrough();
  stdin.end();
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await runCommandLine(args, { ...io, stdin, stdout, stderr, env });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** A stream that keeps what is written to it. */
class Kept extends Writable {
  text = "";

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
