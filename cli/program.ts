import { existsSync } from "node:fs";
import { Command, CommanderError, type Option } from "commander";
import type { Console } from "./terminal/console.ts";
import { declareCommand, type ListedCommand, nameCommand } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { packageVersion } from "./version.ts";

const guide = `
Every command has its own help: infrasync plan --help

The token is read from INFRASYNC_TOKEN, or from the file that INFRASYNC_TOKEN_FILE names. Other settings
have a flag (--max-deletes) and an environment variable (INFRASYNC_MAX_DELETES), and most of them a line in
infrasync.config.yaml (max_deletes: …); protect, policies and environments stand only there. Without a
terminal, and in CI, the file cannot set the URL of the API.

Exit codes: 0 done or nothing to do, 1 failed, 2 there are changes (plan --detailed-exitcode),
3 usage, settings or manifests are wrong, or a consent is missing, 4 the request quota is too low,
129 hung up (the terminal was closed), 130 interrupted (Ctrl-C), 143 terminated (SIGTERM).`;

/** Shows the help of commands, or of the program where none is named. */
async function showHelp(program: Command, names: readonly string[], console: Console): Promise<void> {
  const asked = names.map((name) => [name, commandCalled(program, name)] as const);
  const missing = asked.find(([, command]) => command === undefined);
  if (missing) {
    const { unknownCommand } = await import("./failure.ts");
    const known = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
    throw unknownCommand(missing[0], known);
  }
  const all = asked.flatMap(([, command]) => command ?? []);
  for (const [index, command] of (all.length === 0 ? [program] : all).entries()) {
    if (index > 0) console.data("");
    command.outputHelp();
  }
}

function commandCalled(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name || command.aliases().includes(name));
}

/** Runs a command line, and returns the exit code of its command. @throws CommanderError for a wrong command line */
export async function runProgram(given: readonly string[], console: Console): Promise<number> {
  const args = await withMeantCommand(given, console);
  let code: number = exitCodes.done;
  const end = (ended: number) => {
    code = ended;
  };
  const [first = ""] = args;
  // After a flag, any word may be the command, or the value of the flag.
  const words = first === "help" || first.startsWith("-") ? args : [first];
  const named = commands.filter(({ name, alias = name }) => words.includes(name) || words.includes(alias));
  const program = await createProgram(console, end, named);
  try {
    const [, second, third] = args;
    if (second === "help" && third === undefined && commandCalled(program, first) && !existsSync("help")) {
      await showHelp(program, [first], console);
      return code;
    }
    const ordered = inOrder(program, args);
    refuseOneDash(program, ordered);
    await program.parseAsync(ordered, { from: "user" });
    return code;
  } catch (error) {
    // Help and the like have been shown.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    throw error;
  }
}

/** The arguments with the command that a word of another tool means in its place, where only help is asked for: `up --help`. */
async function withMeantCommand(args: readonly string[], console: Console): Promise<readonly string[]> {
  const [word = "", ...rest] = args;
  const isKnown = [...commands.flatMap(({ name, alias }) => [name, alias]), "help"].includes(word);
  if (isKnown || word.startsWith("-") || !rest.some((arg) => arg === "--help" || arg === "-h")) return args;
  const { commandHabit, meantCommand } = await import("./habits.ts");
  const meant = meantCommand(word);
  if (meant === undefined) return args;
  console.note(`infrasync has no command ${word}; ${commandHabit(word)}\n`);
  return [meant, ...rest];
}

/**
 * Makes the command line program.
 *
 * @param end gets the exit code of a command
 * @param declared the commands that are loaded and declared; all others are only named, because to load the engine takes
 *   several times as long as Node takes to start
 */
export async function createProgram(
  console: Console,
  end: (code: number) => void,
  declared: readonly ListedCommand[] = commands,
): Promise<Command> {
  const program = new Command("infrasync")
    .description("Manages projects, environments and services with YAML manifests, and deploys them.")
    .usage("COMMAND [options]")
    .version(packageVersion(), "-V, --version", "show the version")
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

  const loaded = new Map(await Promise.all(declared.map(async (one) => [one, await one.load()] as const)));
  const whole = () => createProgram(console, end);
  for (const listed of commands) {
    const line = nameCommand(program, listed);
    const command = loaded.get(listed);
    if (command) declareCommand(line, command, { console, end, whole, isHidden: listed.isHidden ?? false });
  }
  program
    .command("help [commands...]")
    .description("Show the help of commands.")
    .helpOption(false)
    .action((names: string[]) => showHelp(program, names, console));
  return program;
}

/**
 * Puts options that precede the command behind it, as in `infrasync -o json plan`.
 */
function inOrder(program: Command, args: readonly string[]): readonly string[] {
  const all = program.commands.flatMap((command) => command.options);
  const isCalled = ({ short, long }: Option, arg: string) => arg === short || arg === long;
  const isOfProgram = (arg: string) =>
    program.options.some((option) => isCalled(option, arg)) || arg === "--help" || arg === "-h";
  let index = 0;
  for (let arg = args[index]; arg?.startsWith("-") && arg !== "--"; arg = args[index]) {
    if (isOfProgram(arg)) return args;
    const name = arg;
    const takesNext = all.some((option) => option.required && isCalled(option, name));
    index += takesNext ? 2 : 1;
  }
  const command = args[index];
  if (index === 0 || command === undefined || !commandCalled(program, command)) return args;
  return [command, ...args.slice(0, index), ...args.slice(index + 1)];
}

/**
 * Refuses `-target=…`, the form of Terraform, which commander would read as `-t` with the value `arget=…`. The value of a
 * short flag may still follow without a space, as in `-ojson` and `-tshop/staging`.
 */
function refuseOneDash(program: Command, [name = "", ...args]: readonly string[]): void {
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
