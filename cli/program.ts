import { existsSync } from "node:fs";
import { Command, CommanderError, type Option } from "commander";
import type { Console } from "./terminal/console.ts";
import { declareCommand, type ListedCommand, nameCommand, type Surroundings } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { exitCodes } from "./exit-codes.ts";
import {
  helpExtent,
  type HelpExtent,
  helpForm,
  type HelpTable,
  helpTopics,
  otherCommands,
  topicHelp,
} from "./help.ts";
import { packageVersion } from "./version.ts";

const guide = `
Every command has its own help: infrasync plan --help

The token is read from INFRASYNC_TOKEN, or from the file that
INFRASYNC_TOKEN_FILE names. Most settings have a flag (--max-deletes), an
environment variable (INFRASYNC_MAX_DELETES) and a line in infrasync.config.yaml
(max_deletes: …). Exit codes: 0 done, 1 failed, 2 changes, 3 wrong input or an
approval is missing, 4 quota too low.`;

async function showHelp(
  program: Command,
  [first = "", ...more]: readonly string[],
  { console, helps, whole }: Help,
): Promise<void> {
  if (Object.hasOwn(helpTopics, first) && more.length === 0)
    return topicHelp(await whole(), first).outputHelp();
  const called = commandCalled(program, first);
  const isVerb = called && Object.hasOwn(helps.get(called)?.verbs ?? {}, more[0] ?? "");
  const names = first === "" ? [] : isVerb ? [first] : [first, ...more];
  const requested = names.map((name) => [name, commandCalled(program, name)] as const);
  const missing = requested.find(([, command]) => command === undefined);
  if (missing) {
    const { unknownCommand } = await import("./failure.ts");
    const known = program.commands.flatMap((command) => [command.name(), ...command.aliases()]);
    throw unknownCommand(missing[0], known);
  }
  const all = requested.flatMap(([, command]) => command ?? []);
  for (const [index, command] of (all.length === 0 ? [program] : all).entries()) {
    if (index > 0) console.data("");
    command.outputHelp();
  }
}

type Help = Pick<Surroundings, "console" | "helps" | "whole">;

function commandCalled(program: Command, name: string): Command | undefined {
  return program.commands.find((command) => command.name() === name || command.aliases().includes(name));
}

/** Runs a command line, and returns the exit code of its command. @throws CommanderError for a wrong command line */
export async function runProgram(given: readonly string[], console: Console): Promise<number> {
  const { args, extent } = helpExtent(await withMeantCommand(given, console));
  let code: number = exitCodes.done;
  const end = (ended: number) => {
    code = ended;
  };
  const [first = ""] = args;
  // After a flag, any word may be the command, or the value of the flag.
  const words = first === "help" || first.startsWith("-") ? args : [first];
  const named = commands.filter(({ name }) => words.includes(name));
  const { program, help } = await programWith(console, end, named, extent);
  try {
    const [, second, third] = args;
    if (second === "help" && third === undefined && commandCalled(program, first) && !existsSync("help")) {
      await showHelp(program, [first], help);
      return code;
    }
    const ordered = inOrder(program, args);
    refuseOneDash(program, ordered);
    await program.parseAsync(ordered, { from: "user" });
    return code;
  } catch (error) {
    // Help and the like have been shown.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    if (error instanceof CommanderError && error.code === "commander.unknownOption")
      error.message += ownersOf(error.message, await createProgram(console, end));
    throw error;
  }
}

/** The commands that have a flag which another one lacks, as a line of the error of the parser. */
function ownersOf(message: string, { commands: all }: Command): string {
  const [, flag = ""] = /unknown option '(-[^'=]*)/.exec(message) ?? [];
  const owners = all.filter(({ options }) => options.some(({ long, short }) => [long, short].includes(flag)));
  return owners.length === 0 ? "" : `\n(Commands with it: ${owners.map((owner) => owner.name()).join(", ")})`;
}

/** The arguments with the command that a word of another tool means in its place, where only help is requested: `up --help`. */
async function withMeantCommand(args: readonly string[], console: Console): Promise<readonly string[]> {
  const [word = "", ...rest] = args;
  const isKnown = [...commands.map(({ name }) => name), "help"].includes(word);
  if (isKnown || word.startsWith("-") || !rest.some((arg) => arg === "--help" || arg === "-h")) return args;
  const { commandSuggestion, meantCommand } = await import("./suggestions.ts");
  const meant = meantCommand(word);
  if (meant === undefined) return args;
  console.note(`infrasync has no command ${word}; ${commandSuggestion(word)}\n`);
  return [meant, ...rest];
}

/** Makes the command line program with every command and its whole help. @param end gets the exit code of a command */
export async function createProgram(console: Console, end: (code: number) => void): Promise<Command> {
  return (await programWith(console, end, commands, { isWhole: true })).program;
}

/** Makes the program; other commands than `declared` are only named, because loading the engine takes longer than starting Node. */
async function programWith(
  console: Console,
  end: (code: number) => void,
  declared: readonly ListedCommand[],
  extent: HelpExtent,
): Promise<{ program: Command; help: Help }> {
  const helps: HelpTable = new Map();
  const program: Command = new Command("infrasync")
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
      ...helpForm(helps, extent),
      styleTitle: (title) => console.dataColors.bold(title),
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .addHelpText("after", () => (extent.isWhole ? guide : `\n${otherCommands(program)}\n${guide}`));

  const loaded = new Map(await Promise.all(declared.map(async (one) => [one, await one.load()] as const)));
  const whole = (): Promise<Command> => createProgram(console, end);
  for (const listed of commands) {
    const line = nameCommand(program, listed);
    const command = loaded.get(listed);
    if (command) declareCommand(line, listed, command, { console, end, whole, helps, extent });
  }
  const help: Help = { console, helps, whole };
  program
    .command("help [commands...]")
    .description("Show the help of commands, or of flags that many share: help connection.")
    .helpGroup("Tools:")
    .helpOption(false)
    .action((names: string[]) => showHelp(program, names, help));
  return { program, help };
}

/** Puts options that precede the command behind it, as in `infrasync -o json plan`. */
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

/** Refuses Terraform's `-target=…`, which commander would read as `-t arget=…`, but not `-ojson`. */
function refuseOneDash(program: Command, [name = "", ...args]: readonly string[]): void {
  const command = commandCalled(program, name);
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
