import type { Command as CommandLine } from "commander";
import type { Console } from "../terminal/console.ts";

/** What a command is run with. */
export interface Given<Arguments extends readonly unknown[], Flags> {
  args: Arguments;
  flags: Flags;
  console: Console;
  /** The whole command line, for a command that tells of the others. */
  program: CommandLine;
}

/** A command, whole: what the command line says of it, and what it does. */
export interface Command<Arguments extends readonly unknown[] = never, Flags = never> {
  name: string;
  alias?: string;
  description: string;
  /** Command lines without `infrasync` at their beginning; the help has them. */
  examples: readonly string[];
  /** Adds arguments, flags and further help. */
  declare(line: CommandLine): void;
  /**
   * Does it, and gives the exit code. What a run needs is imported here, when the command runs: help has to come at
   * once.
   */
  run(given: Given<Arguments, Flags>): Promise<number>;
}

/** A command whose arguments and flags only it knows. */
export type AnyCommand = Command<never, never>;

/** Adds a command to the command line; `end` is told its exit code. */
export function addCommand(
  program: CommandLine,
  command: AnyCommand,
  console: Console,
  end: (code: number) => void,
): void {
  const { name, alias, description, examples } = command;
  const line = program.command(name).description(description);
  if (alias !== undefined) line.alias(alias);
  line.addHelpText(
    "after",
    `\nExamples:\n${examples.map((example) => `  $ infrasync ${example}`).join("\n")}`,
  );
  command.declare(line);
  line.action(async () => {
    // The parser has checked them against what the command itself has declared.
    const args = line.processedArgs as never;
    end(await command.run({ args, flags: line.opts() as never, console, program }));
  });
}
