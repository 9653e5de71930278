import { CommanderError } from "commander";
import { Console } from "./terminal/console.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Io } from "./terminal/io.ts";
import { outputStyle } from "./terminal/output-style.ts";
import { createProgram, refuseOneDash } from "./program.ts";

/** Runs one command line and returns its exit code. Never throws: it reports every failure. */
export async function runCommandLine(args: readonly string[], io: Io): Promise<number> {
  const console = new Console(io, outputStyle(args));
  let code: number = exitCodes.done;
  const program = createProgram(console, (ended) => {
    code = ended;
  });
  try {
    refuseOneDash(program, args);
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const { report } = await import("./failure.ts");
    return report(error, console);
  } finally {
    console.end();
  }
}
