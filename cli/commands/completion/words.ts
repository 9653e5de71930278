import type { Argument, Command, Option } from "commander";

export interface OptionWords {
  flags: string[];
  description: string;
  /** The value of the option: none, one of these words, a file, the address of a live resource, or any text. */
  value: "none" | "any" | "file" | "address" | string[];
}

export interface CommandWords {
  names: string[];
  description: string;
  options: OptionWords[];
  /** The values of its arguments in order; if the last argument may repeat, its values apply to all further ones. */
  arguments: ("any" | "file" | "address" | string[])[];
}

/** All commands for shell completion. `argumentWords`: values of arguments that the program itself does not declare. */
export function wordsOf(program: Command, argumentWords: Readonly<Record<string, string[]>>): CommandWords[] {
  const help = program.createHelp();
  return help
    .visibleCommands(program)
    .map((command) => ({
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
    value: option.argChoices ?? valueOf(option),
  };
}

function valueOf({ flags, long }: Option): OptionWords["value"] {
  if (/[<[](?:file|folder|path|source)[>\]]/.test(flags)) return "file";
  if (/<pattern>/.test(flags) || long === "--to") return "address";
  return /[<[]/.test(flags) ? "any" : "none";
}

/** The names of arguments that are addresses of live resources. */
const addresses = new Set(["address", "addresses", "pattern", "patterns", "source"]);

function argumentValue(
  argument: Argument,
  argumentWords: Readonly<Record<string, string[]>>,
): CommandWords["arguments"][number] {
  const name = argument.name();
  return (
    argument.argChoices ??
    argumentWords[name] ??
    (name === "sources" ? "file" : addresses.has(name) ? "address" : "any")
  );
}
