import { type Command, Option } from "commander";
import { logLevels } from "../settings/log-levels.ts";

/** Where the manifests are. */
export function addSources(command: Command): void {
  command.argument(
    "[sources...]",
    "files and folders with manifests, each laid over those before it; - is standard input (default: the working directory)",
  );
  command
    .optionsGroup("Manifests:")
    .option("--var <name=value>", "what ${NAME} stands for in manifests; repeatable", collect)
    .option(
      "--var-file <file>",
      "YAML file with NAME: VALUE lines; repeatable, the last one counts",
      collect,
    );
}

/** What is planned, and what it may do. */
export function addPlanning(command: Command): void {
  command
    .optionsGroup("What to plan:")
    .option(
      "-t, --target <pattern>",
      "only these and what they need, such as 'job:shop/staging/*'; repeatable",
      collect,
    )
    .option("--allow-replace <pattern>", "let these be deleted and made again; repeatable", collect)
    .option("--prune", "delete what no manifest describes, in environments whose manifest says manage.prune")
    .option(
      "--max-deletes <caps>",
      "how much may be deleted or replaced, in all and of an environment (default: 10,30%)",
    )
    .option("--strict", "also mention fields that no manifest states and that differ from their default");
}

/** What is deleted. */
export function addDeleting(command: Command): void {
  command
    .optionsGroup("What to delete:")
    .option("-t, --target <pattern>", "only these, such as 'job:shop/staging/*'; repeatable", collect)
    .option(
      "--prune",
      "with an environment whose manifest says manage.prune, also what no manifest describes",
    )
    .option(
      "--max-deletes <caps>",
      "how much may be deleted, in all and of an environment (default: 10,30%)",
    );
}

/** How a plan is carried out. */
export function addApplying(command: Command): void {
  command.optionsGroup("How to carry it out:").option("--yes, --auto-approve", "do not ask");
  addPace(command);
}

/** At what pace a plan is carried out. */
export function addPace(command: Command, note = ""): void {
  command
    .optionsGroup("How to carry it out:")
    .option("--parallelism <number>", `changes under way at the same time (default: 10)${note}`)
    .option(
      "--clone-timeout <time>",
      `how long to wait for a clone, such as 90s or 10m (default: 5m)${note}`,
    );
}

/** How the API is reached, and what may be spent. */
export function addConnection(command: Command): void {
  command
    .optionsGroup("Connection:")
    .option("--base-url <url>", "where the API is")
    .option("--organization <name>", "name or id of the organization, where the token sees several")
    .addOption(
      new Option("--token-scheme <scheme>", "scheme of the Authorization header").choices([
        "Token",
        "Bearer",
      ]),
    )
    .option("--insecure-http", "allow a plain http URL that is not of this machine")
    .addOption(
      new Option(
        "--on-quota <action>",
        "what to do when the request quota is used up (default: wait on a terminal, else fail)",
      ).choices(["wait", "fail"]),
    )
    .option("--max-requests <number>", "send no more requests than this")
    .addOption(configOption())
    .addOption(
      new Option(
        "--log-level <level>",
        "write a log to standard error: info has the waits and what was spent, debug every request too",
      ).choices(logLevels),
    );
}

/** Which settings file counts. */
export function addConfig(command: Command): void {
  command.addOption(configOption());
}

function configOption(): Option {
  return new Option(
    "--config <file>",
    "settings file (default: infrasync.config.yaml beside or above the manifests, else here)",
  );
}

/** How the result is written. */
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

/** For an option that may be given several times. */
export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}
