// Writes each command into its page, docs/reference/cli/COMMAND.md, and the lists of commands, settings, codes and policies into their pages,
// from the command line and from core.
import path from "node:path";
import { PassThrough, Writable } from "node:stream";
import { verdictRules } from "../../reconciler/decide/index.ts";
import { builtInPolicies } from "../../core/rules/policies/built-in.ts";
import type { Argument, Command, Option } from "commander";
import { Console } from "../../cli/terminal/console.ts";
import { codesOf, errorCodes, outcomeCodes, problemCodes } from "../../core/problems/codes.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { commands as listedCommands } from "../../cli/commands/index.ts";
import { createProgram } from "../../cli/program.ts";
import { defaultText, type InFile, type Setting, settings } from "../../cli/settings/table.ts";
import { fileMembers, flagOf, isDeclaredBy, settingNames, variableOf } from "../../cli/settings/names.ts";
import { writeFolder } from "../generated-files.ts";
import { presentSection, table, writeSections } from "./section.ts";

const meanings: Record<keyof typeof exitCodes, string> = {
  done: "Done, or nothing to do.",
  failed: "Something failed: the API refused, could not be reached, or a change could not be made.",
  changes: "There are changes. Only from `plan --detailed-exitcode`.",
  invalid:
    "The command line, the settings or the manifests are wrong, or an approval is missing, for a plan too. Nothing was changed.",
  quota: "Not enough is left of the request quota.",
  hungUp: "Hung up (SIGHUP): the terminal was closed. What was under way has been finished.",
  interrupted: "Interrupted (Ctrl-C). What was under way has been finished.",
  terminated: "Terminated (SIGTERM). What was under way has been finished.",
};

const fileMeanings: Record<InFile, string> = {
  default: "counts where neither flag nor variable is set",
  watched: "used only on a terminal",
  tightens: "can only lower the limit",
  never: "no",
};

class Sink extends Writable {
  text = "";

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

const sink = new Sink();
const io = {
  stdin: new PassThrough(),
  stdout: sink,
  stderr: sink,
  env: {},
  signal: new AbortController().signal,
};
const program = await createProgram(
  new Console(io, { json: false, jsonLines: false, color: false }),
  () => undefined,
);
const commands = program
  .createHelp()
  .visibleCommands(program)
  .filter((command) => command.name() !== "help");

const verbsByCommand = new Map(
  await Promise.all(
    listedCommands.map(async ({ name, load }) => [name, (await load()).verbs ?? {}] as const),
  ),
);

const sharedGroups = ["Connection:", "Output:"];

/** A flag with several forms is declared in its last form, which most commands have. */
const optionsByFlag = new Map(
  commands.flatMap((command) => command.options.map((option) => [option.long, option])),
);

const pageOf = (command: Command) => `cli/${command.name()}.md`;

function referenceOf(command: Command): string {
  const [name, ...aliases] = [command.name(), ...command.aliases()];
  const options = command.options.filter(
    ({ helpGroupHeading = "", long, description, hidden }) =>
      !hidden &&
      (!sharedGroups.includes(helpGroupHeading) || optionsByFlag.get(long)?.description !== description),
  );
  const shared = sharedGroups.filter((group) =>
    command.options.some(({ helpGroupHeading }) => helpGroupHeading === group),
  );
  return [
    `# infrasync ${name}`,
    "<!-- This page is written by tools/docs/cli-reference.ts. -->",
    `\`infrasync ${name} ${[...command.registeredArguments.map(argumentForm), "[options]"].join(" ")}\``,
    [command.description(), ...aliases.map((alias) => `Also \`infrasync ${alias}\`.`)].join(" "),
    ...(command.registeredArguments.length === 0
      ? []
      : [table(["Argument", "What it is"], command.registeredArguments.map(argumentRow))]),
    ...verbTable(name),
    ...(options.length === 0 ? [] : [table(["Flag", "What it does"], options.map(optionRow))]),
    ...(shared.length === 0 ? [] : [`Also the flags for ${shared.map(linkTo).join(" and ")}.`]),
    ["Examples:", "", ...examplesOf(command).map((example) => `- \`${example}\``)].join("\n"),
  ]
    .join("\n\n")
    .concat("\n");
}

function verbTable(command = ""): string[] {
  const rows = Object.entries(verbsByCommand.get(command) ?? {}).map(([verb, { description, flags }]) => [
    `\`${verb}\``,
    description,
    flags.map((flag) => `\`${flag}\``).join(" "),
  ]);
  return rows.length === 0 ? [] : [table(["Verb", "What it does", "Its flags"], rows)];
}

function commandList(): string {
  return table(
    ["Command", "What it does"],
    commands.map((command) => [
      `[\`infrasync ${command.name()}\`](${pageOf(command)})`,
      command.description(),
    ]),
  );
}

function linkTo(group: string): string {
  const name = group.slice(0, -1).toLowerCase();
  return `[${name}](../cli.md#flags-for-${name})`;
}

function sharedFlags(group: string): string {
  const inGroup = [...optionsByFlag.values()].filter(
    ({ helpGroupHeading, hidden }) => helpGroupHeading === group && !hidden,
  );
  return [
    `## Flags for ${group.slice(0, -1).toLowerCase()}`,
    table(["Flag", "What it does"], inGroup.map(optionRow)),
  ].join("\n\n");
}

function argumentForm(argument: Argument): string {
  const text = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${text}>` : `[${text}]`;
}

function argumentRow(argument: Argument): string[] {
  const { argChoices = [], description } = argument;
  const isExplained = argChoices.every((choice) => description.includes(choice));
  const choices = isExplained ? "" : `: ${argChoices.join(", ")}`;
  return [`\`${argumentForm(argument)}\``, description + choices];
}

function optionRow({ flags, description, argChoices }: Option): string[] {
  const shown = argChoices ? flags.replace(/<.*>/, `<${argChoices.join("|")}>`) : flags;
  return [`\`${shown}\``, description];
}

/** Flags that only the help lists. */
function examplesOf(command: Command): string[] {
  sink.text = "";
  command.outputHelp();
  const text = sink.text.replaceAll(/ \\\n +/g, " ");
  return [...text.matchAll(/^ {2}\$ (infrasync .*)$/gm)].map(([, example = ""]) => example);
}

function exitCodeTable(): string {
  return table(
    ["Code", "Meaning"],
    Object.entries(meanings).map(([name, meaning]) => [
      String(exitCodes[name as keyof typeof exitCodes]),
      meaning,
    ]),
  );
}

/** What codes mean is said in core; what to do about each is written manually, in the last column of the page. */
function helpTable<Code extends string>(name: string, means: Record<Code, string>) {
  const page = "reference/troubleshooting.md";
  const present = presentSection(page, name);
  const rows = codesOf(means).map((code) => {
    const [, help = ""] = new RegExp(`^\\| \`${code}\` \\|.* \\| (.*?) ?\\|$`, "m").exec(present) ?? [];
    if (help === "") {
      console.error(`docs/${page}: say what to do about ${code}`);
      process.exitCode = 1;
    }
    return [`\`${code}\``, means[code], help];
  });
  return { page, name, text: table(["Code", "What it means", "What to do"], rows) };
}

function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { argument, help, default: given, inFile, read }: Setting<unknown> = settings[name];
    const shown = read.words ? `<${read.words.join("|")}>` : argument;
    return [
      fileMembers.includes(name) ? `\`${name}\`` : "",
      isDeclaredBy(name, "flag") ? `\`${[flagOf(name), shown].filter(Boolean).join(" ")}\`` : "",
      isDeclaredBy(name, "variable") ? `\`${variableOf(name)}\`` : "",
      given === undefined || argument === undefined ? help : `${help} (default: ${defaultText(given)})`,
      fileMeanings[inFile],
    ];
  });
  return table(
    ["In the settings file", "Flag", "Environment variable", "What it does", "From the file, it"],
    rows,
  );
}

/** The rules of the reconciler's decisions, in order of priority. */
function verdictTable(): string {
  const does = {
    refresh: "waits",
    ignore: "nothing",
    nothing: "nothing: it is synced",
    apply: "is carried out",
    report: "is reported as drift",
    wait: "waits",
    hold: "is held",
    block: "is blocked",
  } as const;
  return table(
    ["Condition", "The environment", "Reason on the page"],
    verdictRules.map((rule) => [rule.when, does[rule.does], rule.reason || "–"]),
  );
}

function builtInTable(): string {
  const rows = Object.entries(builtInPolicies).map(([name, { about, with: parameters }]) => [
    `\`${name}\``,
    about,
    parameters ? `\`${JSON.stringify(parameters)}\`` : "",
  ]);
  return table(["Name", "What it requires", "Default of `with`"], rows);
}

if (import.meta.main) {
  writeFolder(
    "docs/reference/cli",
    new Map(commands.map((command) => [path.basename(pageOf(command)), referenceOf(command)])),
  );
  writeSections([
    { page: "reference/cli.md", name: "commands", text: commandList() },
    { page: "reference/cli.md", name: "shared flags", text: sharedGroups.map(sharedFlags).join("\n\n") },
    { page: "reference/cli.md", name: "exit codes", text: exitCodeTable() },
    helpTable("error codes", errorCodes),
    helpTable("problem codes", problemCodes),
    helpTable("outcome codes", outcomeCodes),
    { page: "reference/configuration.md", name: "settings", text: settingsTable() },
    { page: "guides/policies.md", name: "policies of infrasync", text: builtInTable() },
    { page: "guides/reconcile-policy.md", name: "rules of decisions", text: verdictTable() },
  ]);
}
