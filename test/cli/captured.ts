import { PassThrough, Writable } from "node:stream";
import type { Clock } from "../../core/api/index.ts";
import { runCommandLine } from "../../cli/command-line.ts";

/** A stream that keeps what is written to it, and may pass for a terminal. */
export class Captured extends Writable {
  text = "";
  isTTY?: boolean;
  columns?: number;
  /** Is told each piece as it is written. */
  onText: (text: string) => void = () => undefined;

  constructor(columns?: number) {
    super({ decodeStrings: false });
    if (columns === undefined) return;
    this.isTTY = true;
    this.columns = columns;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    this.onText(String(chunk));
    done();
  }

  // What a terminal has beside a stream, as far as a spinner needs it.
  clearLine = (): boolean => this.write("\r");
  cursorTo = (): boolean => true;
  moveCursor = (): boolean => true;
  getColorDepth = (): number => 1;
  hasColors = (): boolean => false;
}

/** What a run gave. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Standard input; ends after it. */
  stdin?: string | Uint8Array;
  /** Standard error and input are a terminal, this wide. */
  columns?: number;
  clock?: Clock;
  signal?: AbortSignal;
  /** The id of the user; that of this process when left out. */
  user?: number;
}

/** Runs a command line in this process. */
export async function infrasync(args: string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, columns, clock, user = process.geteuid?.() } = options;
  const { signal = new AbortController().signal } = options;
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  if (columns !== undefined) stdin.isTTY = true;
  stdin.end(options.stdin ?? "");
  const stdout = new Captured();
  const stderr = new Captured(columns);
  const code = await runCommandLine(args, {
    stdin,
    stdout,
    stderr,
    env,
    user,
    signal,
    ...(clock && { clock }),
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** The JSON document that is all of standard output. */
export function documentOf({ stdout }: Pick<Ran, "stdout">): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}
