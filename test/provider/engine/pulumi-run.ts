import { execFile } from "node:child_process";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation/events.js";

/** The result of a run of the Pulumi command line. */
export interface Exit {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** The result of a preview, update, refresh or destroy. */
export interface Run extends Exit {
  /** `create Job nightly`, in order of completion; `failed create Job nightly`; no entry for unchanged resources. */
  steps: string[];
  /** The error messages that the user sees. */
  errors: string[];
  /** All events of the engine. */
  events: EngineEvent[];
}

/**
 * Runs the Pulumi command line to its end, whatever that is.
 *
 * @param signal interrupts it: once to be asked, twice to be ended together with its plugins, which a kill would leave
 */
export async function execute(
  program: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal; input?: string },
): Promise<Exit> {
  const { signal, input, ...rest } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let interrupting: NodeJS.Timeout | undefined;
    const child = execFile(
      program,
      args,
      { ...rest, maxBuffer: 256 * 1024 * 1024 },
      (error, stdout, stderr) => {
        signal.removeEventListener("abort", interrupt);
        clearInterval(interrupting);
        if (signal.aborted) console.error(`${program} was interrupted. It had printed:\n${stdout}${stderr}`);
        if (child.exitCode === null) reject(error ?? new Error(`${program} ended by ${child.signalCode}`));
        else resolve({ exitCode: child.exitCode, stdout, stderr });
      },
    );
    // A command that reads no input may end before it has got it.
    child.stdin?.on("error", () => undefined);
    if (input !== undefined) child.stdin?.end(input);
    function interrupt(): void {
      child.kill("SIGINT");
      interrupting = setInterval(() => child.kill("SIGINT"), 500);
    }
    signal.addEventListener("abort", interrupt);
  });
}

/**
 * Adds what the engine's event log tells.
 *
 * @param log the event log: a JSON object a line
 */
export function readRun(exit: Exit, log: string): Run {
  const events = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line): EngineEvent => JSON.parse(line));
  return {
    ...exit,
    steps: events.flatMap(stepOf),
    errors: events.flatMap(({ diagnosticEvent: diagnostic }) =>
      diagnostic?.severity === "error" ? [diagnostic.message.trim()] : [],
    ),
    events,
  };
}

function stepOf({ resOutputsEvent: done, resOpFailedEvent: failed }: EngineEvent): string[] {
  if (failed) return [`failed ${describe(failed.metadata)}`];
  return done && isChange(done.metadata) ? [describe(done.metadata)] : [];
}

/** A `replace` only marks, its `delete-replaced` and `create-replacement` do the work; a `refresh` only looks. */
function isChange({ op, type }: StepEventMetadata): boolean {
  return !["same", "replace", "refresh"].includes(op) && !type.startsWith("pulumi:");
}

function describe({ op, urn, type }: StepEventMetadata): string {
  return `${op} ${type.split(":").at(-1)} ${urn.split("::").at(-1)}`;
}
