// Help loads this: it imports no code of the engine.
import { Argument, type Command as CommandLine, Option } from "commander";
import { flagOf, isDeclaredBy, settingNames } from "../settings/names.ts";
import { defaultText, type Setting, settings } from "../settings/table.ts";
import table from "./commands.json" with { type: "json" };
import shared from "./shared-flags.json" with { type: "json" };
import type { HelpVerb } from "../help.ts";

/** What a command line says about a command: a row of `commands.json`. */
export interface CommandDeclaration {
  name: string;
  /** Its group in the help of the program. Help, completion and the reference omit a command without one. */
  group?: string;
  description: string;
  /** Example command lines for the help, without `infrasync` at their beginning. */
  examples: readonly string[];
  everyday?: readonly string[];
  /** When it asks for confirmation. `--yes` answers, `--dry-run` asks nothing. */
  asks?: string;
  arguments?: readonly { name: string; words: string; choices?: readonly string[]; isVerb?: boolean }[];
  flags?: readonly FlagEntry[];
  /** The end of its help. */
  end?: string;
}

/** A flag; those of a group of settings; a heading of the help, such as `Git host:`; or flags that several commands share, by their name. */
export type FlagEntry =
  | {
      flag: string;
      words: string;
      choices?: readonly string[];
      conflicts?: readonly string[];
      default?: string | number;
      isRepeatable?: boolean;
      isRequired?: boolean;
    }
  /** `note` ends each help text. */
  | { settings: string; note?: string; isHidden?: boolean }
  | string;

/** The parts of a command's declaration that are code. */
export interface DeclaredInCode {
  verbs?: Readonly<Record<string, HelpVerb>>;
  /** Texts in the words of the declaration, by name: `{lists}`. */
  words?: Readonly<Record<string, string>>;
  /** Flags that the declaration only names. */
  flags?: Readonly<Record<string, readonly FlagEntry[]>>;
  /** What reads the values of flags. */
  parsers?: Readonly<Record<string, (value: string) => unknown>>;
}

/** The declarations of all commands, in the order of the help. */
export const declarations: readonly CommandDeclaration[] = table;

/** The argument of several commands: `{sources}` in their declarations. */
const sources =
  "files and folders with manifests; later ones overlay earlier ones; - is standard input (default: the working directory); or environments of the settings file";

export function declarationOf(name: string): CommandDeclaration {
  const found = declarations.find((each) => each.name === name);
  if (!found) throw new TypeError(`there is no command ${name}`);
  return found;
}

/** Adds the arguments and flags of a command. */
export function declareInputs(
  line: CommandLine,
  { name, asks, arguments: args = [], flags = [], end }: CommandDeclaration,
  command: DeclaredInCode = {},
): void {
  const known: Readonly<Record<string, string>> = {
    sources,
    command: name,
    question: asks ?? "",
    ...command.words,
  };
  const filled = (words: string) =>
    words.replaceAll(/\{(\w+)\}/g, (whole, word: string) => known[word] ?? whole);
  const add = (entry: FlagEntry): void => {
    if (typeof entry === "string") {
      if (entry.endsWith(":")) line.optionsGroup(entry);
      else for (const each of someOf(entry, command.flags?.[entry] ?? sharedFlags[entry])) add(each);
    } else if ("settings" in entry) {
      for (const option of someOf(entry.settings, settingOptions(entry.settings, entry.note)))
        line.addOption(option.hideHelp(entry.isHidden ?? false));
    } else {
      const option = new Option(entry.flag, filled(entry.words)).default(entry.default);
      const parser = entry.isRepeatable ? collect : command.parsers?.[option.long ?? ""];
      if (parser) option.argParser(parser);
      if (entry.choices) option.choices(entry.choices);
      if (entry.conflicts) option.conflicts([...entry.conflicts]);
      line.addOption(option.makeOptionMandatory(entry.isRequired ?? false));
    }
  };
  for (const { name: argument, words, choices, isVerb } of args) {
    const made = new Argument(argument, filled(words));
    const all = isVerb ? Object.keys(command.verbs ?? {}) : choices;
    line.addArgument(all ? made.choices(all) : made);
  }
  for (const entry of flags) add(entry);
  if (end !== undefined) line.addHelpText("after", end);
}

const sharedFlags: Readonly<Record<string, readonly FlagEntry[]>> = shared;

/** @throws TypeError for a name of flags that the declarations do not have */
function someOf<Flag>(name: string, flags: readonly Flag[] = []): readonly Flag[] {
  if (flags.length === 0) throw new TypeError(`there are no flags ${name}`);
  return flags;
}

function settingOptions(group: string, note = ""): Option[] {
  return settingNames
    .filter((name) => settings[name].group === group && isDeclaredBy(name, "flag"))
    .map((name) => settingOption(flagOf(name), settings[name], note));
}

function settingOption(
  flag: string,
  { argument, help, default: given, read }: Setting<unknown>,
  note: string,
): Option {
  // A switch is obviously off by default.
  if (argument === undefined) return new Option(flag, help + note);
  const shown = given === undefined ? "" : ` (default: ${defaultText(given)})`;
  const option = new Option(`${flag} ${argument}`, help + shown + note);
  return read.words ? option.choices(read.words) : option;
}

/** Collects the values of an option that may be repeated. */
function collect(value: string, earlier: unknown): string[] {
  return [...(Array.isArray(earlier) ? (earlier as string[]) : []), value];
}
