import { once } from "node:events";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import type { Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import { wholeNumber } from "../../core/settings/values.ts";
import type { Command } from "./command.ts";

/** Flags of `infrasync emulator`, before they are checked. */
type EmulatorFlags = {
  [Name in keyof Omit<EmulatorOptions, Switch | "dataFile" | "clock" | "behaviour"> | "data"]?: string;
} & {
  [Name in Switch | "frozenClock" | "env"]?: boolean;
};

type Switch = "allowDuplicateNames" | "forbiddenForMissing" | "log";

const defaultPort = 8080;

/** `infrasync emulator`: runs the API as a local server until the process is interrupted. */
export const emulator: Command<[], EmulatorFlags> = {
  everyday: ["--port", "--rate-limit", "--deploy-delay", "--seed", "--data", "--log", "--env"],
  examples: [
    "emulator",
    "emulator --port 0 --latency 100 --data state.json",
    "emulator --seed shop",
    "emulator --env > emulator.env &",
  ],

  declare(line) {
    line
      .option("--port <number>", "local port; 0 picks a free one (default: 8080)")
      .option("--latency <ms>", "delay of every response, in milliseconds (default: 0)")
      .option(
        "--rate-limit <number>",
        "requests that each token may send in a window; 0 for no limit (default: 1000)",
      )
      .option("--rate-window <seconds>", "length of a window, in seconds (default: 3600)")
      .option("--clone-delay <ms>", "milliseconds until a clone can be read (default: 0)")
      .option("--delete-delay <ms>", "milliseconds that a deletion takes (default: 0)")
      .option("--deploy-delay <ms>", "milliseconds that a deployment takes (default: 2000)")
      .option("--allow-duplicate-names", "let resources of the same parent and kind share a name")
      .option("--forbidden-for-missing", "answer 403 instead of 404 when a resource does not exist")
      .option("--built-in-prefix <text>", "prefix of the keys of built-in variables (default: QOVERY)")
      .option("--frozen-clock", "stop the clock; only POST /_emulator/clock advances it")
      .option(
        "--seed <file>",
        "start from the organization that this YAML or JSON file describes, or from the built-in shop",
      )
      .option("--data <file>", "keep the state in this file")
      .option("--log", "log each request as a line on standard error")
      .option("--env", "when ready, print an export line for the shell instead of JSON")
      .addHelpText(
        "after",
        `
When it is ready, it prints a line of JSON: url, organization, tokens, clusters
and registries. docs/reference/emulator.md describes its faults and its clock.`,
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
    // Written without redaction, because users need the tokens of the emulator.
    io.stdout.write(`${flags.env ? forShell : JSON.stringify(announcement(started))}\n`);
    if (io.stderr.isTTY)
      console.note(
        flags.env
          ? `The emulator is running, as process ${process.pid}.`
          : `The emulator is running; press Ctrl-C to stop it. To use it:\n  ${forShell}`,
      );
    if (!io.signal.aborted) await once(io.signal, "abort");
    await started.close();
    return exitCodes.done;
  },
};

/** The shell command that points infrasync at the emulator. */
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
    problems.push({ code: "argument", message: `${flag} ${reading.wrong}`, advice: reading.advice });
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
        message:
          code === "EADDRINUSE"
            ? `port ${options.port} is in use`
            : `this user is not allowed to listen on port ${options.port}`,
        advice: "choose another port with --port; 0 picks a free one",
      });
    }
    const files = Object.entries({ seed, data }).filter(([, file]) => file !== undefined);
    if (files.length === 0) throw error;
    const named = files.filter(([, file = ""]) => message.includes(file));
    const flags = (named.length > 0 ? named : files).map(([flag]) => `--${flag}`);
    throw new CommandError("invalid_input", exitCodes.invalid, {
      message,
      advice: `correct the file given with ${flags.join(" or ")}`,
    });
  }
}
