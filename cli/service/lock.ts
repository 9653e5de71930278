import { FolderLock, type Holder } from "../../reconciler/index.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import type { RepositoryPlace } from "../repository/repository.ts";

/** Works while no other process works with the same data folder; undefined: the signal came first. `onHeld` may throw instead of waiting. */
export async function withLock<Result>(
  { data }: Pick<RepositoryPlace, "data">,
  signal: AbortSignal,
  onHeld: (holder: Holder | undefined) => void,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (data === undefined) return work();
  const held = await new FolderLock(data).take(signal, onHeld);
  if (!held) return undefined;
  try {
    return await work();
  } finally {
    await held.release();
  }
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
