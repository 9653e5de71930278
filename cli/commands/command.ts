import type { Command as CommandLine } from "commander";
import { CommandLineError } from "../command-line-error.ts";
import { helpEnd, type HelpExtent, type HelpOf, type HelpTable } from "../help.ts";
import { InvalidInputError } from "../../core/problems/problem.ts";
import type { Console } from "../terminal/console.ts";
import { type CommandDeclaration, type DeclaredInCode, declareInputs } from "./declaration.ts";
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

/** What the command line says about a command, and its module. */
export interface ListedCommand extends CommandDeclaration {
  load: () => Promise<AnyCommand>;
}

/** A command: its action, and the parts of its declaration that are code. */
export interface Command<Arguments extends readonly unknown[] = never, Flags = never> extends DeclaredInCode {
  /** Runs the command and returns the exit code. */
  run(given: CommandInput<Arguments, Flags>): Promise<number>;
}

export type AnyCommand = Command<never, never>;

export interface Surroundings {
  console: Console;
  /** Gets the exit code when the command has run. */
  end: (code: number) => void;
  whole: () => Promise<CommandLine>;
  helps: HelpTable;
  extent: HelpExtent;
}

/** Adds a command to the program by its name, without its arguments, flags and action. */
export function nameCommand(program: CommandLine, { name, group, description }: ListedCommand): CommandLine {
  const line = program.command(name, { hidden: group === undefined }).description(description);
  if (group) line.helpGroup(`${group}:`);
  return line;
}

/** Gives a command of the program its arguments, flags, help and action. */
export function declareCommand(
  line: CommandLine,
  declaration: CommandDeclaration,
  command: AnyCommand,
  { console, end, whole, helps, extent }: Surroundings,
): void {
  const { group, examples } = declaration;
  const help: HelpOf = { ...declaration, ...command };
  helps.set(line, help);
  line.addHelpText("after", () => helpEnd(line, examples, help, extent));
  line.exitOverride((error) => {
    // For a missing value, an example helps more than the list of flags.
    if (/^commander\.missing(?:Argument|MandatoryOptionValue)$/.test(error.code) && examples[0])
      error.message += `\n(For example: infrasync ${examples[0]})`;
    throw new CommandLineError(line.name(), error);
  });
  declareInputs(line, declaration, command);
  line.action(async () => {
    console.typed = typedCommand(line);
    // The shell calls a command without a group, not a person.
    if (group !== undefined) await refuseDoubtful(line, console);
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
