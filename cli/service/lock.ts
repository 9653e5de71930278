import { FolderLock, type HeldLock, type Holder, type Log } from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { RepositoryPlace } from "../repository/repository.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { withTraces } from "./traces.ts";

/** Works while no other process works with the same data folder; undefined: the signal came first. `onHeld` may throw instead of waiting. */
export async function withLock<Result>(
  { data }: Pick<RepositoryPlace, "data">,
  { signal, clock }: Pick<Io, "signal" | "clock">,
  onHeld: (holder: Holder | undefined) => void,
  work: (lock?: HeldLock) => Promise<Result>,
): Promise<Result | undefined> {
  if (data === undefined) return work();
  const held = await new FolderLock(data, clock).take(signal, onHeld);
  if (!held) return undefined;
  try {
    return await work(held);
  } finally {
    await held.release();
  }
}

/** Runs a service, with traces, once no other process works with its data folder. Returns the exit code. */
export async function runService(
  data: string | undefined,
  log: Log,
  console: Console,
  work: (lock?: HeldLock) => Promise<number>,
): Promise<number> {
  const { signal } = console.io;
  const onHeld = (holder: Holder | undefined) =>
    log.warn({ ...holder }, "another reconciler works with this data folder; waiting for its end");
  const code = await withLock({ data }, console.io, onHeld, (lock) =>
    withTraces(console, log, () => work(lock)),
  );
  if (code === undefined) log.info({ signal: String(signal.reason) }, "stopped");
  return code ?? exitCodes.done;
}

/** A single run does not wait for a service that may never end. */
export function lockedByOther(holder: Holder | undefined): never {
  throw new CommandError("locked", exitCodes.failed, {
    message: `${holderText(holder)} works with this data folder; nothing was sent`,
    advice: "wait until it has ended, or give each its own data folder with --data",
  });
}

/** `process 4711 on web-1, since 2026-12-01T08:00:00.000Z,` */
function holderText(holder: Holder | undefined): string {
  return holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since},` : "another process";
}
