import type { Client } from "../../core/api/index.ts";
import type { ExecutionOptions, Shortage, Terms } from "../../core/execution/session/index.ts";
import type { ConsentFlags } from "../flags.ts";
import type { Settings } from "../settings/index.ts";
import { ask } from "../terminal/ask.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../progress/status.ts";
import { waitNote } from "./quota-shortage.ts";

/** The context of a command that applies a change. */
export interface ChangeRun {
  settings: Settings;
  flags: ConsentFlags & { output?: string };
  status: Status;
  console: Console;
}

/** The terms of a run that asks at the terminal and shows its progress there, and a function to call at its end. */
export function agreement(
  question: string,
  requests: number,
  client: Client,
  { settings, flags, status, console }: ChangeRun,
): { terms: Terms; options: ExecutionOptions; end(): void } {
  const { signal, standstill } = console.io;
  const onInterruption = () => {
    status.pause();
    console.note(
      "Interrupted: changes in progress will be finished, no new ones will be started. Interrupt again to stop at once.",
    );
  };
  const consent = async (shortage: Shortage | undefined) => {
    status.pause();
    if (shortage) console.note(waitNote(requests, shortage, client));
    const isDesired = flags.autoApprove || (await ask(question, console));
    if (!isDesired || signal.aborted) return false;
    console.note("");
    status.working("starting");
    signal.addEventListener("abort", onInterruption, { once: true });
    return true;
  };
  const options = {
    parallelism: settings.parallelism,
    ...(settings.wait && { wait: settings.waitTimeout }),
    onProgress: (progress: Parameters<Status["progress"]>[0]) => status.progress(progress),
    ...(standstill && { standstill }),
  };
  return {
    terms: { consent, onQuota: settings.onQuota, fixedSpending: settings.fixedSpending },
    options,
    end() {
      signal.removeEventListener("abort", onInterruption);
      status.pause();
    },
  };
}
