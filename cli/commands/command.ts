import type { Command as CommandLine } from "commander";
import { CommandLineError } from "../command-line-error.ts";
import { helpEnd, type HelpExtent, type HelpOf, type HelpTable } from "../help.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import type { CommandLineFlag, TypedCommand } from "../terminal/typed-command.ts";

export interface CommandInput<Arguments extends readonly unknown[], Flags> {
  args: Arguments;
  flags: Flags;
  /** The given flags, each with the heading of its group in the help. */
  given: readonly CommandLineFlag[];
  console: Console;
  /** Makes the program with every command, for a command that lists the others. */
  whole: () => Promise<CommandLine>;
}

/** A row of the table of commands: its entry in the help of the program, and its module. */
export interface ListedCommand {
  name: string;
  /** Its group in the help of the program; absent: none. */
  group?: string;
  /** Help, completion and the reference omit it. */
  isHidden?: true;
  description: string;
  load: () => Promise<AnyCommand>;
}

/** A command: its declaration (arguments, flags, help) and its action. */
export interface Command<Arguments extends readonly unknown[] = never, Flags = never> extends HelpOf {
  /** Example command lines for the help, without `infrasync` at their beginning. */
  examples: readonly string[];
  declare(line: CommandLine): void;
  /** Runs the command and returns the exit code. */
  run(given: CommandInput<Arguments, Flags>): Promise<number>;
}

export type AnyCommand = Command<never, never>;

export interface Surroundings {
  console: Console;
  /** Gets the exit code when the command has run. */
  end: (code: number) => void;
  whole: () => Promise<CommandLine>;
  /** Whether the shell calls the command, not a person. */
  isHidden?: boolean;
  helps: HelpTable;
  extent: HelpExtent;
}

/** Adds a command to the program by its name. `declare` adds its arguments, flags and action. */
export function nameCommand(
  program: CommandLine,
  { name, group, isHidden, description }: ListedCommand,
): CommandLine {
  const line = program.command(name, { hidden: isHidden ?? false }).description(description);
  if (group) line.helpGroup(`${group}:`);
  return line;
}

/** Gives a command of the program its arguments, flags, help and action. */
export function declareCommand(
  line: CommandLine,
  command: AnyCommand,
  { console, end, whole, isHidden, helps, extent }: Surroundings,
): void {
  const { examples } = command;
  helps.set(line, command);
  line.addHelpText("after", () => helpEnd(line, examples, command, extent));
  line.exitOverride((error) => {
    // For a missing value, an example helps more than the list of flags.
    if (/^commander\.missing(?:Argument|MandatoryOptionValue)$/.test(error.code) && examples[0])
      error.message += `\n(For example: infrasync ${examples[0]})`;
    throw new CommandLineError(line.name(), error);
  });
  command.declare(line);
  line.action(async () => {
    console.typed = typedCommand(line);
    if (isHidden !== true) await refuseDoubtful(line, console);
    // The parser has checked arguments and flags against the declaration of the command.
    const args = line.processedArgs as never;
    const flags = line.opts() as never;
    try {
      end(await command.run({ args, flags, given: givenFlags(line), console, whole }));
    } catch (error) {
      const { withLiveNames } = await import("../session/with-live-names.ts");
      throw error instanceof InvalidInputError
        ? await withLiveNames(error, console.typed, flags, console)
        : error;
    }
  });
}

/** Refuses missing values, and unknown variables. Help loads none of this. @throws InvalidInputError */
async function refuseDoubtful(line: CommandLine, console: Console): Promise<void> {
  const { missingValues } = await import("./missing-values.ts");
  const { unknownVariables } = await import("../../core/manifests/settings/unknown-variables.ts");
  const problems = [...unknownVariables(console.io.env), ...missingValues(line)];
  if (problems.length > 0) throw new InvalidInputError(problems);
}

function typedCommand(line: CommandLine): TypedCommand {
  return {
    name: line.name(),
    args: (line.processedArgs as unknown[]).flat().filter((arg) => typeof arg === "string"),
    flags: givenFlags(line),
    has: (flag) => line.options.some(({ short, long }) => long === flag || short === flag),
  };
}

function givenFlags(line: CommandLine): CommandLineFlag[] {
  return line.options
    .filter((option) => line.getOptionValueSource(option.attributeName()) === "cli")
    .map((option) => ({
      name: (option.short?.startsWith("--") ? option.short : option.long) ?? "",
      group: option.helpGroupHeading ?? "",
      value: line.getOptionValue(option.attributeName()) as CommandLineFlag["value"],
    }));
}
