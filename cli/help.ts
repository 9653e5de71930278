import { Command, Help, type HelpConfiguration, type Option } from "commander";
import { brokenCommand } from "./terminal/command-lines.ts";

/** The groups of flags that several commands share, by the word with which `infrasync help` shows one: `help connection`. */
export const helpTopics: Readonly<Record<string, string>> = {
  manifests: "Manifests:",
  planning: "What to plan:",
  deleting: "What to delete:",
  applying: "How to apply:",
  waiting: "How to wait:",
  reading: "How to read:",
  connection: "Connection:",
  output: "Output:",
};

/** The heading of the commands that the help of the program explains; of the others it has the names. */
export const everydayGroup = "Every day:";

/** The flags of those groups that people need every day. */
const everyday = ["--var", "--set", "--target", "--prune", "--deploy", "--yes", "--wait", "--output"];

/** What a help shows: all flags, or those that people need every day; of one verb of a command, or of the whole command. */
export interface HelpExtent {
  isWhole: boolean;
  verb?: string;
}

/** A thing that a command does where it does several: `pause` of `infrasync reconcile`. */
export interface HelpVerb {
  description: string;
  /** Its flags, without those that every verb takes. */
  flags: readonly string[];
}

/** What the help of a command shows beyond its declaration. */
export interface HelpOf {
  /** The flags of its own that the short help shows; absent: all. */
  everyday?: readonly string[];
  verbs?: Readonly<Record<string, HelpVerb>>;
}

/** What commands say about their help, once they are declared. */
export type HelpTable = Map<Command, HelpOf>;

/** The arguments without the `--all` of a help, and how much help they ask for. */
export function helpExtent(args: readonly string[]): { args: readonly string[]; extent: HelpExtent } {
  const [first = "help"] = args;
  const endsWithHelp = args.length === 2 && args[1] === "help";
  const asks = first === "help" || endsWithHelp || args.some((arg) => arg === "--help" || arg === "-h");
  // What suggests a command or a flag sees all of them.
  if (!asks) return { args, extent: { isWhole: true } };
  const verb = args[first === "help" ? 2 : 1];
  return {
    args: args.filter((arg) => arg !== "--all"),
    extent: { isWhole: args.includes("--all"), ...(verb !== undefined && { verb }) },
  };
}

/** The columns of a flag beside which its description still has room. */
const widestTerm = 28;

export function helpForm(table: HelpTable, { isWhole, verb = "" }: HelpExtent): HelpConfiguration {
  const usual = new Help();
  const verbOf = (command: Command): HelpVerb | undefined => table.get(command)?.verbs?.[verb];
  return {
    visibleOptions(command) {
      const all = usual.visibleOptions(command);
      return isWhole
        ? all
        : all.filter((option) => isShown(option, table.get(command) ?? {}, verbOf(command)));
    },
    visibleCommands: (command) =>
      usual
        .visibleCommands(command)
        .filter((one) => isWhole || one.helpGroup() === everydayGroup || one.helpGroup() === ""),
    optionDescription(option) {
      const description = usual.optionDescription(option);
      const start = `with ${verb}: `;
      const own = description.split("; ").find((part) => part.startsWith(start));
      return own?.slice(start.length) ?? description;
    },
    // The list of verbs below the flags says more than their names.
    argumentDescription: (argument) =>
      !isWhole &&
      [...table.values()].some(({ verbs = {} }) => argument.argChoices?.every((one) => verbs[one]))
        ? argument.description
        : usual.argumentDescription(argument),
    visibleArguments: (command) => (verbOf(command) ? [] : usual.visibleArguments(command)),
    commandDescription: (command) => verbOf(command)?.description ?? usual.commandDescription(command),
    commandUsage: (command) =>
      verbOf(command)
        ? usual
            .commandUsage(command)
            .replace("[options]", `${verb} [options]`)
            .replace(/ [[<]action[\]>]/, "")
        : usual.commandUsage(command),
    padWidth: (command, helper) => Math.min(usual.padWidth(command, helper), widestTerm),
    formatItem: (term, width, description, helper) =>
      helper.displayWidth(term) > width
        ? `  ${term}\n${usual.formatItem("", width, description, helper)}`
        : usual.formatItem(term, width, description, helper),
    groupItems: (items, visible, groupOf) =>
      usual.groupItems(
        items,
        visible,
        isWhole || items.every((item) => item instanceof Command) ? groupOf : () => "Options:",
      ),
  };
}

function isShown(
  { long, short, helpGroupHeading = "" }: Option,
  { everyday: own, verbs = {} }: HelpOf,
  verb: HelpVerb | undefined,
): boolean {
  const isAmong = (flags: readonly string[]) =>
    [long, short].some((flag) => flag !== undefined && flags.includes(flag));
  if (isAmong(["--help"])) return true;
  if (verb) return isAmong([...verb.flags, "--output"]);
  if (own) return isAmong(own);
  return Object.values(helpTopics).includes(helpGroupHeading)
    ? isAmong(everyday)
    : !Object.values(verbs).some(({ flags }) => isAmong(flags));
}

/** The end of a help: its examples, and where the flags are that it leaves out. */
export function helpEnd(
  command: Command,
  examples: readonly string[],
  { verbs = {} }: HelpOf,
  { isWhole, verb = "" }: HelpExtent,
): string {
  const name = command.name();
  const isOfVerb = Object.hasOwn(verbs, verb);
  const shown = isOfVerb ? examples.filter((example) => example.startsWith(`${name} ${verb}`)) : examples;
  const few = isWhole || isOfVerb ? shown : shown.slice(0, 2);
  const listed = few.map((example) => brokenCommand(`  $ infrasync ${example}`, 80)).join("\n");
  const shownOptions = command.options.filter(({ hidden }) => !hidden);
  const groups = new Set(shownOptions.map(({ helpGroupHeading }) => helpGroupHeading));
  const topics = Object.keys(helpTopics).filter((topic) => groups.has(helpTopics[topic] ?? ""));
  const parts = [
    isOfVerb || isWhole ? "" : verbList(name, verbs),
    few.length === 0 ? "" : `Examples:\n${listed}`,
    isWhole || topics.length === 0
      ? ""
      : `More flags: infrasync ${name} --help --all, or infrasync help TOPIC:\n${topics.join(", ")}.`,
  ];
  return `\n${parts.filter((part) => part !== "").join("\n\n")}`;
}

function verbList(name: string, verbs: Readonly<Record<string, HelpVerb>>): string {
  const rows = Object.entries(verbs).map(([verb, { description }]) => `  ${verb.padEnd(10)}${description}`);
  return rows.length === 0 ? "" : [`Actions (infrasync ${name} ACTION --help):`, ...rows].join("\n");
}

/** The commands that the short help of the program only names, by their groups. */
export function otherCommands(program: Command): string {
  const others = program.commands.filter(
    (command) => command.helpGroup() !== everydayGroup && command.helpGroup() !== "",
  );
  const rows = [...Map.groupBy(others, (command) => command.helpGroup())].map(
    ([group, commands]) => `  ${group.padEnd(10)}${commands.map((command) => command.name()).join(" ")}`,
  );
  return ["Also (infrasync help --all explains them):", ...rows].join("\n");
}

export function topicHelp(program: Command, topic: string): Command {
  const heading = helpTopics[topic];
  const found = new Map<string, Option>();
  for (const option of program.commands.flatMap(({ options }) => options))
    if (option.helpGroupHeading === heading) found.set(option.flags, found.get(option.flags) ?? option);
  const shown = new Command("infrasync")
    .copyInheritedSettings(program)
    .usage("COMMAND [options]")
    .configureHelp({})
    .helpOption(false);
  for (const option of found.values()) shown.addOption(option);
  return shown;
}
