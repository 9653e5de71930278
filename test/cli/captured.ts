import { PassThrough, Writable } from "node:stream";
import type { Clock } from "../../core/api/index.ts";
import { runCommandLine } from "./command-line.ts";

/** A stream that keeps everything written to it, and that can pass for a terminal. */
export class Captured extends Writable {
  text = "";
  isTTY?: boolean;
  columns?: number;
  /** Receives each piece as it is written. */
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

  // The members of a terminal that a spinner needs.
  clearLine = (): boolean => this.write("\r");
  cursorTo = (): boolean => true;
  moveCursor = (): boolean => true;
  getColorDepth = (): number => 1;
  hasColors = (): boolean => false;
}

/** The result of a run. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string | undefined>;
  /** Standard input; it ends after this text. */
  stdin?: string | Uint8Array;
  /** Standard error and standard input are a terminal of this width. */
  columns?: number;
  clock?: Clock;
  signal?: AbortSignal;
  /** Receives each piece of standard error as it is written. */
  onError?: (text: string) => void;
  /** The id of the user; absent: the user of this process. */
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
  if (options.onError) stderr.onText = options.onError;
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

/** The JSON document on standard output, which must contain nothing else. */
export function documentOf({ stdout }: Pick<Ran, "stdout">): Record<string, unknown> {
  return JSON.parse(stdout) as Record<string, unknown>;
}
