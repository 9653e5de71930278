import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../core/api/index.ts";
import type { HiddenTexts } from "../../core/redaction/hidden-texts.ts";

/** A stream that may be a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

/** The streams, environment, clock and signal of a run. The signal aborts with the name of the process signal as reason. */
export interface Io {
  stdin: Readable & { isTTY?: boolean };
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** The id of the user who runs the command; undefined on systems without user ids, such as Windows. */
  user?: number | undefined;
  /** What no output shows; left out: what the environment states. */
  hidden?: HiddenTexts | undefined;
  /** Left out: the clock of the system. */
  clock?: Clock;
  /** Whether templates and files of variables may come from outside the repository: not where somebody else wrote the documents. */
  localRepositories?: boolean;
  signal: AbortSignal;
  /** Aborted when the process has nothing left to do although the run has not ended: a promise never settles. */
  standstill?: AbortSignal;
  /** Aborted when the process has nothing left to do again: the run has not reported that it stands still. */
  stuck?: AbortSignal;
}
