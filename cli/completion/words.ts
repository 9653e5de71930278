import type { Argument, Command, Option } from "commander";

/** An option, as a shell completes it. */
export interface OptionWords {
  flags: string[];
  description: string;
  /** What follows it: nothing, one of these words, a file, or anything. */
  value: "none" | "any" | "file" | string[];
}

/** A command, as a shell completes it. */
export interface CommandWords {
  names: string[];
  description: string;
  options: OptionWords[];
  /** What its arguments are, one by one; the last one stands for all that follow when it may repeat. */
  arguments: ("any" | "file" | string[])[];
}

/** What there is to complete. `argumentWords` are the words of arguments that the program does not list itself. */
export function wordsOf(program: Command, argumentWords: Readonly<Record<string, string[]>>): CommandWords[] {
  const help = program.createHelp();
  return help.visibleCommands(program).map((command) => ({
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: help.visibleOptions(command).map(optionWords),
    arguments: command.registeredArguments.map((argument) => argumentValue(argument, argumentWords)),
  }));
}

function optionWords(option: Option): OptionWords {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: option.description,
    value:
      option.argChoices ??
      (/<(?:file|folder|path)>/.test(option.flags) ? "file" : /[<[]/.test(option.flags) ? "any" : "none"),
  };
}

function argumentValue(
  argument: Argument,
  argumentWords: Readonly<Record<string, string[]>>,
): CommandWords["arguments"][number] {
  const name = argument.name();
  return argument.argChoices ?? argumentWords[name] ?? (name === "sources" ? "file" : "any");
}
