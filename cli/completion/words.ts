import type { Argument, Command, Option } from "commander";

/** An option for shell completion. */
export interface OptionWords {
  flags: string[];
  description: string;
  /** The value of the option: none, one of these words, a file, or any text. */
  value: "none" | "any" | "file" | string[];
}

/** A command for shell completion. */
export interface CommandWords {
  names: string[];
  description: string;
  options: OptionWords[];
  /** The values of its arguments in order; if the last argument may repeat, its values apply to all further ones. */
  arguments: ("any" | "file" | string[])[];
}

/** All commands for shell completion. `argumentWords`: values of arguments that the program itself does not declare. */
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
