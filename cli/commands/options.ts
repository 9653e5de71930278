import { type Command, Option } from "commander";
import { addQuestion, type AskingCommand } from "../change/questions.ts";
import { flagOf, isDeclaredBy, settingNames } from "../settings/names.ts";
import { defaultText, type Setting, type SettingGroup, settings } from "../settings/table.ts";

export const planGroups = { manifests: "Manifests:", planning: "What to plan:" };

/** Adds the arguments and flags that name manifests and variables. @param more the other possible arguments */
export function addSources(command: Command, more = ""): void {
  command.argument(
    "[sources...]",
    `files and folders with manifests; later ones overlay earlier ones; - is standard input (default: the working directory); or environments of the settings file${more}`,
  );
  command.option("--all", "all environments of the settings file");
  addVariables(command);
}

export function addVariables(command: Command): void {
  command
    .optionsGroup(planGroups.manifests)
    .option("--var <name=value>", "value of ${NAME} in manifests; repeatable", collect)
    .option("--var-file <file>", "YAML file with NAME: VALUE lines; repeatable, later files win", collect);
}

export function addSet(command: Command): void {
  command
    .optionsGroup(planGroups.manifests)
    .option(
      "--set <assignment>",
      "set a field of a managed resource, such as job:shop/production/web:source.image.tag=1.5.0; repeatable",
      collect,
    );
}

export function addPlanning(command: Command): void {
  command
    .optionsGroup(planGroups.planning)
    .option(
      "-t, --target <pattern>",
      "plan only matching resources and those they need, such as 'job:shop/staging/*'; repeatable",
      collect,
    )
    .option(
      "--allow-replace <pattern>",
      "let matching resources be replaced (deleted and created again) or lose data; repeatable",
      collect,
    )
    .option(
      "--prune",
      "delete resources that no manifest declares, in environments whose manifest sets manage.prune",
    )
    .option(
      "--rotate-secrets <pattern>",
      "write the declared secrets of matching resources again, or one of them: job:shop/staging/api:PASSWORD; repeatable",
      collect,
    );
  addInfrastructure(command);
  addSettings(command, "deletions");
  addSettings(command, "planning");
  addSettings(command, "cache");
}

/** Adds the consents to write resources that cost money or take others down. */
function addInfrastructure(command: Command): void {
  command
    .option(
      "--allow-infrastructure",
      "allow changes of clusters and credentials; name each one with --confirm or --allow-replace",
    )
    .option(
      "--confirm <name>",
      "allow the change of the cluster or the credentials of that name; repeatable",
      collect,
    );
}

/** Adds the flags that select the deletions of destroy. */
export function addDeleting(command: Command): void {
  command
    .optionsGroup("What to delete:")
    .option(
      "-t, --target <pattern>",
      "delete only matching resources, such as 'job:shop/staging/*'; repeatable",
      collect,
    )
    .option(
      "--prune",
      "also delete resources that no manifest declares, in environments whose manifest sets manage.prune",
    );
  addInfrastructure(command);
  addSettings(command, "deletions");
  addSettings(command, "cache");
}

export function addApplying(command: Command, name: AskingCommand): void {
  addQuestion(command.optionsGroup("How to apply:"), name);
  addPace(command);
}

/** Adds the flags for secrets: their permitted sources, and where new ones go. */
export function addCommands(command: Command): void {
  command
    .option("--allow-commands", "run the commands that manifests name as sources of secrets")
    .option(
      "--secrets-out <file>",
      "add the values of new API tokens to this file, which only its owner can read; creating a token needs it",
    );
  addSettings(command, "secrets");
}

/** Adds the flags for parallelism and time limits; `note` ends each help text. */
export function addPace(command: Command, shown: HelpExtras = {}): void {
  command.optionsGroup("How to apply:");
  addSettings(command, "pace", shown);
}

export function addWaiting(command: Command, shown: HelpExtras = {}): void {
  command.optionsGroup("How to wait:");
  addSettings(command, "waiting", shown);
}

/** Adds the flag that asks who changed what. */
export function addWho(command: Command): void {
  command.option("--who", "also say who changed a resource last, from the last 100 events: one request more");
}

export function addSummary(command: Command): void {
  command.option("--summary", "show similar changes as one line; deletions and replacements stay in full");
}

export function addReading(command: Command): void {
  command.optionsGroup("How to read:");
  addSettings(command, "cache");
}

/** Adds the flags for the server, the organization and the request quota. */
export function addConnection(command: Command): void {
  command.optionsGroup("Connection:");
  addSettings(command, "connection");
  addConfig(command);
}

/** Additions to the help of flags. */
interface HelpExtras {
  note?: string;
  isHidden?: boolean;
}

function addSettings(
  command: Command,
  group: SettingGroup,
  { note = "", isHidden = false }: HelpExtras = {},
): void {
  for (const name of settingNames) {
    const setting: Setting<unknown> = settings[name];
    if (setting.group === group && isDeclaredBy(name, "flag"))
      command.addOption(settingOption(flagOf(name), setting, note).hideHelp(isHidden));
  }
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

export function addConfig(command: Command): void {
  command.option(
    "--config <file>",
    "settings file (default: infrasync.config.yaml in the folder of the manifests or a parent folder, else in the working directory)",
  );
}

export function addOutput(
  command: Command,
  format = new Option("-o, --output <format>", "text, or one JSON document on standard output").choices([
    "text",
    "json",
  ]),
): void {
  command
    .optionsGroup("Output:")
    .addOption(format)
    .option("--color", "colour the output (default: on a terminal, unless NO_COLOR is set)")
    .option("--no-color", "do not colour the output");
}

export function yamlFormats(): Option {
  return new Option(
    "-o, --output <format>",
    "text, which is YAML, or one JSON document on standard output",
  ).choices(["text", "yaml", "json"]);
}

export function planFormats(): Option {
  return new Option(
    "-o, --output <format>",
    "text, one JSON document on standard output, or Markdown for a pull request comment",
  ).choices(["text", "json", "markdown"]);
}

/** The formats of commands that carry out a plan. */
export function runFormats(help: string, ...more: string[]): Option {
  return new Option("-o, --output <format>", help).choices(["text", "json", "jsonl", ...more]);
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, earlier: string[] | true = []): string[] {
  return [...(Array.isArray(earlier) ? earlier : []), value];
}
