import { pauseBefore } from "../../../core/deployments/index.ts";
import { type Json, stableJson } from "../../../core/values/json.ts";
import type { Run } from "../../../core/execution/session/index.ts";
import { CommandError, exitCodes, interruptionCode } from "../../exit-codes.ts";
import type { Status } from "../../progress/status.ts";
import type { Console } from "../../terminal/console.ts";

export interface WatchFlags {
  watch?: boolean;
}

/** @throws CommandError if `--output json` is given too */
export function refuseWatchOfJson({ watch }: WatchFlags, console: Console): void {
  if (watch && console.json)
    throw new CommandError("usage", exitCodes.invalid, {
      message: "--watch repeats the output, but --output json prints one document",
      advice: "leave one of them out",
    });
}

/** The view of live resources that a command shows. */
interface View<Seen> {
  refresh(run: Run): Promise<Seen>;
  show(seen: Seen): void;
  /** The states whose change shows the view again. */
  states(seen: Seen): Json;
  /** The exit code of the last view; default: done. */
  exitCode?(seen: Seen): number;
}

/** Shows a view and, with `--watch`, again after each change of its states. Returns the exit code. */
export async function showLive<Seen>(
  { refresh, show, states, exitCode }: View<Seen>,
  { watch }: WatchFlags,
  run: Run,
  line: Status,
  console: Console,
): Promise<number> {
  const first = await refresh(run);
  line.pause();
  show(first);
  if (!watch) return exitCode?.(first) ?? exitCodes.done;
  let shown = stableJson(states(first));
  for (let quiet = 0; ; quiet += 1) {
    await run.clock.sleep(pauseBefore(quiet, 1, run.client.budget, run.clock.now()), run.signal);
    if (run.signal?.aborted) return interruptionCode(console.io.signal);
    const next = await refresh({ ...run, live: run.live.afresh });
    if (stableJson(states(next)) === shown) continue;
    shown = stableJson(states(next));
    quiet = 0;
    console.data("");
    show(next);
  }
}
