import { Command } from "commander";
import type { Console } from "./terminal/console.ts";
import { addCommand } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { packageVersion } from "./version.ts";

const guide = `
Every command has its own help: infrasync plan --help

The token is read from INFRASYNC_TOKEN, or from the file that INFRASYNC_TOKEN_FILE names. Any other
setting has a flag (--max-deletes), an environment variable (INFRASYNC_MAX_DELETES) and a line in
infrasync.config.yaml (max_deletes: …). Without a terminal, and in CI, the file cannot set the URL of the API.

Exit codes: 0 done or nothing to do, 1 failed, 2 there are changes (plan --detailed-exitcode),
3 usage, settings or manifests are wrong, or a consent is missing, 4 the request quota is too low,
129 hung up (the terminal was closed), 130 interrupted (Ctrl-C), 143 terminated (SIGTERM).`;

async function helpOf(program: Command, name: string | undefined): Promise<void> {
  const known = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
  const asked = program.commands.find(
    (command) => command.name() === name || command.aliases().includes(name ?? ""),
  );
  if (name === undefined || asked) return (asked ?? program).help();
  const { unknownCommand } = await import("./failure.ts");
  throw unknownCommand(name, known);
}

/**
 * Makes the command line program. `end` gets the exit code of a command. Commands load the engine only when they run,
 * so that help is fast.
 */
export function createProgram(console: Console, end: (code: number) => void): Command {
  const program = new Command("infrasync")
    .description("Manages projects, environments and services with YAML manifests, and deploys them.")
    .usage("COMMAND [options]")
    .version(packageVersion(), "--version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.data(text.trimEnd()),
      writeErr: (text) => console.note(text.trimEnd()),
      // The error is also thrown, and reported like any other.
      outputError: () => undefined,
      getOutHasColors: () => console.dataColors.isColorSupported,
      getErrHasColors: () => console.noteColors.isColorSupported,
    })
    .configureHelp({
      styleTitle: (title) => console.dataColors.bold(title),
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .addHelpText("after", guide);

  for (const command of commands) addCommand(program, command, console, end);
  program
    .command("help [command]")
    .description("show the help of a command")
    .helpOption(false)
    .action((name?: string) => helpOf(program, name));
  return program;
}

/**
 * Refuses `-target=…`, the form of Terraform, which commander would read as `-t` with the value `arget=…`. The value of a
 * short flag may still follow without a space, as in `-ojson` and `-tshop/staging`.
 */
export function refuseOneDash(program: Command, [name = "", ...args]: readonly string[]): void {
  const command = program.commands.find((one) => one.name() === name || one.aliases().includes(name));
  const end = args.indexOf("--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const [, word, equals] = /^-([a-z][a-z-]+)(=)?/.exec(arg) ?? [];
    if (word === undefined) continue;
    const isKnown = command?.options.some(({ long }) => long === `--${word}`);
    const isShort = command?.options.some(({ short, required }) => required && short === `-${word[0]}`);
    // `-token` is never `-t` with the pattern `oken`: the next argument may be a token.
    if (isKnown || !isShort || equals !== undefined || word === "token")
      program.error(`unknown option '-${word}'${isKnown ? `\n(Did you mean --${word}?)` : ""}`);
  }
}
