import type { Log, Source } from "../../../reconciler/index.ts";
import type { OpenSource } from "../open-source.ts";
import { openMember, type SharedParts } from "./open-member.ts";
import { dataOf } from "./place.ts";
import type { Workers } from "./workers.ts";

/** A source of the fleet while it runs. */
export interface RunningMember extends OpenSource {
  run(started: () => void): Promise<"again" | void>;
}

/** Opens a source, and returns its runner, whose log lines name the source. */
export async function runningMember(
  source: Source,
  signal: AbortSignal,
  {
    shared,
    log,
    workers,
    changed,
  }: { shared: SharedParts; log: Log; workers: Workers | undefined; changed: () => void },
): Promise<RunningMember | "again"> {
  const sourceLog = named(log, source.name);
  const held = workers?.held(source, dataOf(shared.data, source.name));
  if (!held) return watched(await openMember(source, signal, shared, sourceLog), changed);
  const { lease, files, sharedParts } = held;
  try {
    await files.restore();
    // The record of a write is stored before the write is sent: the next worker has to know it.
    const beforeWrite = async () => {
      await files.save();
      await lease.ensure();
    };
    const keep = (saved: Promise<void>) =>
      saved.catch((error: unknown) =>
        sourceLog.warn(
          { reason: String(error) },
          "the memory of the source cannot be stored in the database",
        ),
      );
    const until = AbortSignal.any([signal, lease.lost]);
    const opened = await openMember(source, until, shared, sourceLog, {
      beforeWrite,
      keep: () => files.save(),
      sharedParts,
    });
    const member = watched(opened, changed);
    return {
      ...member,
      async run(started) {
        try {
          await member.run(() => {
            started();
            void keep(files.saveAfterRefresh());
          });
          if (lease.lost.aborted)
            sourceLog.info({ reason: String(lease.lost.reason) }, "another worker may run the source now");
          return lease.lost.aborted ? "again" : undefined;
        } finally {
          await keep(files.save());
        }
      },
    };
  } catch (error) {
    // Losing the right is not a failure of the source.
    if (lease.lost.aborted) return "again";
    throw error;
  }
}

/** An open source that reports its changes, and is closed when it has run. */
function watched(opened: OpenSource, changed: () => void): RunningMember {
  const ignore = opened.board.onChange(changed);
  return {
    ...opened,
    async run(started) {
      try {
        await opened.serve(started);
      } finally {
        ignore();
        await opened.close();
      }
    },
  };
}

function named(log: Log, source: string): Log {
  const level = (name: keyof Log) => (fields: object, message: string) =>
    log[name]({ source, ...fields }, message);
  return { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
}
