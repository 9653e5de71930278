import { runCommandLine } from "./command-line.ts";
import { exitCodes, interruptionCode } from "./exit-codes.ts";
import { inOrder, wholeOutput } from "./terminal/whole-output.ts";
import { codeOf } from "../core/values/error-code.ts";

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runProcess(): Promise<never> {
  // The YAML parser reads an environment variable at every token, and Node asks the operating system each time. A plain
  // copy of the environment saves a tenth of the time of a large plan.
  Object.defineProperty(process, "env", { value: { ...process.env } });

  const interruption = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (interruption.signal.aborted) process.exit(interruptionCode(interruption.signal));
      interruption.abort(name);
    });
  }

  const { env } = process;
  const user = process.geteuid?.();
  const stdout = wholeOutput(process.stdout);
  const stderr = wholeOutput(process.stderr);
  const outputs = inOrder(stdout, stderr);
  let unwritten = false;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error) => {
      // The reader has gone away, as in `infrasync plan | head`; the run continues.
      if (codeOf(error) === "EPIPE" || unwritten) return;
      unwritten = true;
      stderr.write(`error: the output could not be written: ${error.message}\n`);
    });
  }

  // Nothing is left to do, but the run has not ended: a promise never settles. Node would exit silently with code 13. The
  // run gets the chance to report what it has done; if it stands still again, it is refused; then this is the last line of defence.
  const [standstill, stuck] = [new AbortController(), new AbortController()];
  process.on("beforeExit", () => {
    const next = [standstill, stuck].find(({ signal }) => !signal.aborted);
    if (next) {
      next.abort();
      // Node asks again once nothing is left to do.
      setTimeout(() => {}, 1);
      return;
    }
    process.stderr.write(
      "error: the run stopped unexpectedly, and some changes may have been made; run the command again to continue\n",
    );
    process.exit(exitCodes.failed);
  });

  const code = await runCommandLine(process.argv.slice(2), {
    // Node makes this stream when it is requested, which takes a tenth of a bare start; few commands read it.
    get stdin() {
      return process.stdin;
    },
    stdout: outputs.stdout,
    stderr: outputs.stderr,
    env,
    user,
    signal: interruption.signal,
    standstill: standstill.signal,
    stuck: stuck.signal,
  });
  // A slow reader of a pipe has to get the whole output before the process exits. The callback also runs after an error.
  await outputs.flushed();
  return process.exit(unwritten && code === exitCodes.done ? exitCodes.failed : code);
}
