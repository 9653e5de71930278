import { once } from "node:events";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../command-error.ts";
import { wholeNumber } from "../settings/values.ts";
import type { Command } from "./command.ts";

/** Flags of `infrasync emulator`, as they were given. */
interface EmulatorFlags {
  port?: string;
  latency?: string;
  rateLimit?: string;
  rateWindow?: string;
  cloneDelay?: string;
  deleteDelay?: string;
  deployDelay?: string;
  allowDuplicateNames?: boolean;
  forbiddenForMissing?: boolean;
  builtInPrefix?: string;
  frozenClock?: boolean;
  seed?: string;
  data?: string;
  log?: boolean;
  env?: boolean;
}

const defaultPort = 8080;

/** `infrasync emulator`: the API as a local server, until the process is interrupted. */
export const emulator: Command<[], EmulatorFlags> = {
  name: "emulator",
  description: "Run the API as a local server, to try things out and for tests.",
  examples: [
    "emulator",
    "emulator --port 0 --latency 100 --data state.json",
    "emulator --env > emulator.env &",
  ],

  declare(line) {
    line
      .option("--port <number>", "port of this machine; 0 takes a free one (default: 8080)")
      .option("--latency <ms>", "milliseconds added to every answer (default: 0)")
      .option("--rate-limit <number>", "requests in a window and by token; 0 for no limit (default: 1000)")
      .option("--rate-window <seconds>", "how long a window is (default: 3600)")
      .option("--clone-delay <ms>", "milliseconds until a clone can be read (default: 0)")
      .option("--delete-delay <ms>", "milliseconds that a deletion takes (default: 0)")
      .option("--deploy-delay <ms>", "milliseconds that a deployment takes (default: 2000)")
      .option("--allow-duplicate-names", "let resources of one parent and kind share a name")
      .option("--forbidden-for-missing", "answer 403, not 404, for what does not exist")
      .option("--built-in-prefix <text>", "what the keys of built-in variables begin with (default: QOVERY)")
      .option("--frozen-clock", "let time move by POST /_emulator/clock alone")
      .option("--seed <file>", "start from the organization that this YAML or JSON file describes")
      .option("--data <file>", "keep the state in this file")
      .option("--log", "write a line for each request to standard error")
      .option("--env", "when it is ready, print the line that a shell needs to use it, not JSON")
      .addHelpText(
        "after",
        `
When it is ready it prints one line of JSON: url, organization, tokens, clusters and registries.
GET /_emulator/requests tells what was asked of it, POST /_emulator/faults makes it fail on purpose,
POST /_emulator/reset begins again, each with the header X-Emulator-Control: 1; docs/emulator.md has the rest.`,
      );
  },

  async run({ flags, console }) {
    const { announcement } = await import("../../emulator/index.ts");
    const { io } = console;
    const started = await start(
      readOptions(flags, (text) => console.note(text)),
      flags,
    );
    const forShell = exportLine(started);
    // Its tokens are what it is there to give: nothing is taken out here.
    io.stdout.write(`${flags.env ? forShell : JSON.stringify(announcement(started))}\n`);
    if (io.stderr.isTTY) console.note(`The emulator runs; Ctrl-C ends it. To use it:\n  ${forShell}`);
    if (!io.signal.aborted) await once(io.signal, "abort");
    await started.close();
    return exitCodes.done;
  },
};

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
    forbiddenForMissing: flags.forbiddenForMissing,
    builtInPrefix: flags.builtInPrefix,
    clock: flags.frozenClock ? "frozen" : "real",
    seed: flags.seed,
    dataFile: flags.data,
    log: flags.log ? log : undefined,
  };
  if (problems.length > 0) throw new InvalidInputError(problems);
  return options;
}

async function start(options: EmulatorOptions, { seed, data }: EmulatorFlags): Promise<Emulator> {
  const { createEmulator } = await import("../../emulator/index.ts");
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
