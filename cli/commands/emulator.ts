import { once } from "node:events";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { announcement, createEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../failure.ts";
import { wholeNumber } from "../settings/values.ts";

/** Flags of `infrasync emulator`, as they were given. */
export interface EmulatorFlags {
  port?: string;
  latency?: string;
  rateLimit?: string;
  rateWindow?: string;
  cloneDelay?: string;
  deleteDelay?: string;
  deployDelay?: string;
  allowDuplicateNames?: boolean;
  frozenClock?: boolean;
  seed?: string;
  data?: string;
  log?: boolean;
  env?: boolean;
}

const defaultPort = 8080;

/** `infrasync emulator`: the API as a local server, until the process is interrupted. */
export async function emulator(flags: EmulatorFlags, console: Console): Promise<number> {
  const { io } = console;
  const started = await start(
    readOptions(flags, (line) => console.note(line)),
    flags,
  );
  const forShell = exportLine(started);
  // Its tokens are what it is there to give: nothing is taken out here.
  io.stdout.write(`${flags.env ? forShell : JSON.stringify(announcement(started))}\n`);
  if (io.stderr.isTTY) console.note(`The emulator runs; Ctrl-C ends it. To use it:\n  ${forShell}`);
  if (!io.signal.aborted) await once(io.signal, "abort");
  await started.close();
  return exitCodes.done;
}

/** What a shell has to run so that infrasync talks to the emulator. */
function exportLine({ url, tokens }: Emulator): string {
  const quoted = (text: string) =>
    /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `export INFRASYNC_BASE_URL=${quoted(url)} INFRASYNC_TOKEN=${quoted(tokens.admin)}`;
}

function readOptions(flags: EmulatorFlags, log: (line: string) => void): EmulatorOptions {
  const problems: Problem[] = [];
  const number = (
    flag: string,
    given: string | undefined,
    minimum = 0,
    maximum?: number,
  ): number | undefined => {
    if (given === undefined) return undefined;
    const reading = wholeNumber(minimum, maximum)(given);
    if ("value" in reading) return reading.value;
    problems.push({ message: `${flag} ${reading.wrong}`, advice: reading.advice });
    return undefined;
  };
  const options: EmulatorOptions = {
    port: number("--port", flags.port, 0, 65_535) ?? defaultPort,
    latency: number("--latency", flags.latency),
    rateLimit: number("--rate-limit", flags.rateLimit),
    rateWindow: number("--rate-window", flags.rateWindow, 1),
    cloneDelay: number("--clone-delay", flags.cloneDelay),
    deleteDelay: number("--delete-delay", flags.deleteDelay),
    deployDelay: number("--deploy-delay", flags.deployDelay),
    allowDuplicateNames: flags.allowDuplicateNames,
    clock: flags.frozenClock ? "frozen" : "real",
    seed: flags.seed,
    dataFile: flags.data,
    log: flags.log ? log : undefined,
  };
  if (problems.length > 0) throw new InvalidInputError(problems);
  return options;
}

async function start(options: EmulatorOptions, { seed, data }: EmulatorFlags): Promise<Emulator> {
  try {
    return await createEmulator(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE" || code === "EACCES") {
      throw new CommandError("port", exitCodes.failed, {
        message: `the port ${options.port} ${code === "EADDRINUSE" ? "is in use" : "must not be used by this user"}`,
        advice: "choose another with --port; 0 takes a free one",
      });
    }
    if (seed === undefined && data === undefined) throw error;
    throw new CommandError("invalid_input", exitCodes.invalid, {
      message,
      advice: "correct the file that --seed or --data names",
    });
  }
}
