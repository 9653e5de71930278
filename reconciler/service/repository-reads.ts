import type { Log } from "../log.ts";
import { type Audience, type Describe, reasonOf } from "../show/index.ts";

/** Who learns whether the repository can be read. */
interface Hearers {
  audience?: Audience;
  log: Log;
  describe: Describe;
}

/**
 * Makes a function that reports a read of the repository at once, instead of with the next cycle: to the log only when
 * something is different.
 */
export function repositoryReads({ audience, log, describe }: Hearers): (error: unknown) => Promise<void> {
  let last: string | undefined;
  return async (error) => {
    if (error === undefined) {
      if (last !== undefined) log.info({}, "the repository can be read again");
      last = undefined;
      return audience?.read?.();
    }
    const told = reasonOf(error, describe);
    const { reason = "" } = told;
    log[reason === last ? "debug" : "warn"](told, "the repository could not be read; looking again");
    last = reason;
    return audience?.unread?.(told);
  };
}
