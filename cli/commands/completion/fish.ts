import type { CommandWords, OptionWords } from "./words.ts";

export function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap((command) => [
    ...command.names.map(
      (name) =>
        `complete -c infrasync -f -n __fish_use_subcommand -a ${name} -d ${quoted(command.description)}`,
    ),
    ...command.options.map((option) => optionLine(command, option)),
    ...command.arguments.flatMap((words) => {
      const offered = words === "address" ? addresses : Array.isArray(words) ? words.join(" ") : undefined;
      return offered === undefined
        ? []
        : [`complete -c infrasync -f ${condition(command)} -a ${quoted(offered)}`];
    }),
  ]);
  return `# fish completion for infrasync; load it with: infrasync completion fish | source\n${lines.join("\n")}\n`;
}

/** Fish runs this to find the live addresses that complete a word. */
const addresses = "(infrasync complete (commandline -ct) 2> /dev/null)";

function optionLine(command: CommandWords, { flags, description, value }: OptionWords): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  return [
    "complete -c infrasync",
    condition(command),
    ...names,
    ...expected(value),
    `-d ${quoted(description)}`,
  ].join(" ");
}

function expected(value: OptionWords["value"]): string[] {
  if (Array.isArray(value)) return ["-x", `-a ${quoted(value.join(" "))}`];
  if (value === "address") return ["-x", `-a ${quoted(addresses)}`];
  if (value === "none") return [];
  return value === "file" ? ["-r", "-F"] : ["-x"];
}

function condition({ names }: CommandWords): string {
  return `-n ${quoted(`__fish_seen_subcommand_from ${names.join(" ")}`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
