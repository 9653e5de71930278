import { CommandError, exitCodes } from "./exit-codes.ts";
import { Console, outputStyle } from "./terminal/console.ts";
import type { Io } from "./terminal/io.ts";
import { packageVersion } from "./version.ts";

/** Runs one command line and returns its exit code. Never throws: it reports every failure. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const console = new Console(io, outputStyle(args), runCommandLine);
  try {
    if (isVersionDesired(args)) {
      console.data(packageVersion());
      return exitCodes.done;
    }
    await console.hideFiles();
    // The commands take as long to load as Node does to start.
    const { runProgram } = await import("./program.ts");
    return await Promise.race([runProgram(args, console), refuseStandstill(io.stuck)]);
  } catch (error) {
    const { report } = await import("./failure.ts");
    return report(error, console);
  } finally {
    console.end();
  }
}

function isVersionDesired([word = "", ...others]: readonly string[]): boolean {
  return others.length === 0 && ["--version", "-V", "-v", "version"].includes(word);
}

/** Rejects when the run has come to a standstill, and the command has not reported it. */
function refuseStandstill(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () =>
      reject(
        new CommandError("standstill", exitCodes.failed, {
          message: "the run stopped unexpectedly, and some changes may have been made",
          advice: "run the command again to continue",
        }),
      );
    signal?.addEventListener("abort", refuse, { once: true });
  });
}
