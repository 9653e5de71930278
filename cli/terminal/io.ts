import type { Readable, Writable } from "node:stream";

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** What a run reads and writes; the signal aborts with the name of the process signal as its reason. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** The id of the user who runs this; undefined where users have none, as on Windows. */
  user?: number | undefined;
  signal: AbortSignal;
}
