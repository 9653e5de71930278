import { CommanderError } from "commander";
import { Console } from "./terminal/console.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Io } from "./terminal/io.ts";
import { outputStyle } from "./terminal/output-style.ts";
import { createProgram, inOrder, refuseOneDash } from "./program.ts";

/** Milliseconds in which a command can end with its own report. */
const lastWords = 1000;

/** Runs one command line and returns its exit code. Never throws: it reports every failure. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const console = new Console(io, outputStyle(args));
  let code: number = exitCodes.done;
  const program = createProgram(console, (ended) => {
    code = ended;
  });
  try {
    const ordered = inOrder(program, args);
    refuseOneDash(program, ordered);
    await Promise.race([program.parseAsync(ordered, { from: "user" }), refuseStandstill(io.standstill)]);
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { report } = await import("./failure.ts");
    return report(error, console);
  } finally {
    console.end();
  }
}

/** Rejects when the run has come to a standstill and the command does not report it in time. */
function refuseStandstill(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = async () => {
      const { CommandError } = await import("./command-error.ts");
      const error = new CommandError("standstill", exitCodes.failed, {
        message: "the run stopped unexpectedly, and some changes may have been made",
        advice: "run the command again to continue",
      });
      setTimeout(() => reject(error), lastWords);
    };
    signal?.addEventListener("abort", () => void refuse(), { once: true });
  });
}
