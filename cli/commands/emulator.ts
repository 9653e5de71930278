import { spawn } from "node:child_process";
import { once } from "node:events";
import { InvalidInputError, type Problem } from "../../core/problems/problem.ts";
import type { Behaviour, Emulator, EmulatorOptions } from "../../emulator/index.ts";
import { exitCodes, CommandError } from "../exit-codes.ts";
import { wholeNumber } from "../../core/manifests/settings/values.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { codeOf } from "../../core/values/error-code.ts";

interface EmulatorFlags {
  port?: string;
  set?: string[];
  seed?: string;
  data?: string;
  log?: boolean;
  shell?: boolean;
}

const defaultPort = 8080;

/** `infrasync emulator`: runs the API as a local server until the process is interrupted. */
export const emulator: Command<[], EmulatorFlags> = {
  async run({ flags, console }) {
    const { announcement } = await import("../../emulator/index.ts");
    const { io } = console;
    const started = await start(
      readOptions(flags, (text) => console.note(text)),
      flags,
    );
    try {
      if (flags.shell) return await runShell(started, console);
      // Written without redaction, because users need the tokens of the emulator.
      io.stdout.write(`${JSON.stringify(announcement(started))}\n`);
      if (io.stderr.isTTY)
        console.note(
          `The emulator is running; press Ctrl-C to stop it. To use it:\n  ${exportLine(started)}\nWith --shell, it starts a shell that uses it.`,
        );
      if (!io.signal.aborted) await once(io.signal, "abort");
      return exitCodes.done;
    } finally {
      await started.close();
    }
  },
};

/** Runs the user's shell with the variables of the emulator, and returns its exit code. */
async function runShell({ url, tokens }: Emulator, console: Console): Promise<number> {
  const { io } = console;
  const program =
    io.env["SHELL"] ?? (process.platform === "win32" ? (io.env["ComSpec"] ?? "cmd.exe") : "/bin/sh");
  if (io.stderr.isTTY)
    console.note("infrasync uses the emulator in this shell; exit ends the shell and the emulator.");
  const shell = spawn(program, {
    stdio: "inherit",
    env: { ...io.env, INFRASYNC_BASE_URL: url, INFRASYNC_TOKEN: tokens.admin },
  });
  // Ctrl-C is meant for the program in the shell.
  const end = () => io.signal.reason !== "SIGINT" && shell.kill("SIGHUP");
  io.signal.addEventListener("abort", end, { once: true });
  try {
    const [code] = (await once(shell, "exit")) as [number | null];
    return code ?? exitCodes.failed;
  } catch {
    throw new CommandError("failed", exitCodes.failed, {
      message: `the shell ${program} cannot be started`,
      advice: "set SHELL to the path of a shell",
    });
  } finally {
    io.signal.removeEventListener("abort", end);
  }
}

/** The shell command that points infrasync at the emulator. */
function exportLine({ url, tokens }: Emulator): string {
  const quoted = (text: string) =>
    /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `export INFRASYNC_BASE_URL=${quoted(url)} INFRASYNC_TOKEN=${quoted(tokens.admin)}`;
}

function readOptions(flags: EmulatorFlags, log: (line: string) => void): EmulatorOptions {
  const problems: Problem[] = [];
  const argument = (message: string, advice: string) => problems.push({ code: "argument", message, advice });
  const port = flags.port === undefined ? { value: defaultPort } : wholeNumber(0, 65_535)(flags.port);
  if (!("value" in port)) argument(`--port ${port.wrong}`, port.advice);
  const behaviour = Object.fromEntries(
    (flags.set ?? []).map((assignment) => {
      const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(assignment) ?? [];
      if (name === "")
        argument(`--set cannot be "${assignment}"`, "write name=value, such as rate_limit=150");
      return [name, valueOf(value)];
    }),
  );
  if (problems.length > 0) throw new InvalidInputError(problems);
  return {
    ...("value" in port && { port: port.value }),
    // The emulator checks it.
    behaviour: behaviour as Behaviour,
    seed: flags.seed,
    dataFile: flags.data,
    log: flags.log ? log : undefined,
  };
}

/** A number, a switch or a list as JSON; any other text is itself. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function start(options: EmulatorOptions, { seed, data }: EmulatorFlags): Promise<Emulator> {
  const { createEmulator } = await import("../../emulator/index.ts");
  try {
    return await createEmulator(options);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = codeOf(error);
    if (code === "EADDRINUSE" || code === "EACCES") {
      throw new CommandError("port", exitCodes.failed, {
        message:
          code === "EADDRINUSE"
            ? `port ${options.port} is in use`
            : `this user is not allowed to listen on port ${options.port}`,
        advice: "choose another port with --port; 0 picks a free one",
      });
    }
    if (code === "behaviour")
      throw new CommandError("invalid_input", exitCodes.invalid, {
        message: `--set ${message}`,
        advice: "docs/reference/assumptions.md lists what can be set",
      });
    if (error instanceof Error && "mistakes" in error)
      throw new InvalidInputError(
        (error.mistakes as string[]).map((mistake) => ({
          code: "argument",
          message: mistake,
          advice: "correct the file given with --seed",
        })),
      );
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
