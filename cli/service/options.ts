import { type Command, Option } from "commander";
import { memberFlags } from "./verbs.ts";

// Repeated here, because loading the reconciler takes ten times as long as showing help.
const modes = ["off", "report", "apply"];

/** Adds the flags of a service: its place, work and access, and those for requests to a running one. */
export function addServiceOptions(line: Command): void {
  addActing(line);
  addRepository(line);
  addManySources(line);
  addPage(line);
  addWebhook(line);
  addPolicy(line);
}

function addActing(line: Command): void {
  line
    .optionsGroup("Acting on the running service:")
    .option(
      "--exit-code",
      "of status: exit with 0 if all is synced, 2 if something differs or waits, 1 if something has failed or is unknown",
    )
    .option("--url <url>", "URL of the page of a service on another machine (default: that of --listen)");
  for (const { flag, words } of memberFlags()) line.option(flag, words);
}

function addRepository(line: Command): void {
  line
    .optionsGroup("Repository:")
    .option("--repo <url>", "URL of the repository: https or ssh")
    .option("--branch <name>", "branch whose newest commit is applied (default: main)")
    .option(
      "--revision <revision>",
      "follow a tag, the highest version of a range such as 'v1.*', or one commit of the branch, instead of its newest commit",
    )
    .option("--path <folder>", "folder of the manifests in the repository (default: the whole repository)")
    .option("--data <folder>", "folder for its copy (default: a temporary one)")
    .option("--allow-local-repo", "allow a repository on this machine: a path or a file URL")
    .option("--interval <time>", "how often to check the repository (default: 60s)")
    .option("--once", "apply the newest commit once, and end");
}

function addManySources(line: Command): void {
  line
    .optionsGroup("Many sources:")
    .option(
      "--sources <place>",
      "sync many repositories: a folder with documents of kind Source, or the URL of a repository that has it at --path",
    )
    .option(
      "--database <url>",
      "URL of a PostgreSQL database that several workers share, without a password (default: INFRASYNC_DATABASE)",
    )
    .option("--source <name>", "act on one of many sources, or show how it stands");
}

function addPage(line: Command): void {
  line
    .optionsGroup("Page:")
    .option("--listen <address>", "address of the page, a port, or off (default: 127.0.0.1:8081)")
    .option(
      "--access-file <file>",
      "who may see and act, how people sign in, and what a commit may do, as a YAML file of the operator",
    );
}

function addWebhook(line: Command): void {
  line
    .optionsGroup("Webhook:")
    .option(
      "--webhook-listen <address>",
      "address for webhooks of the Git host about pushes, a port, or off (default: off)",
    );
}

function addPolicy(line: Command): void {
  line
    .optionsGroup("Policy:")
    .addOption(
      new Option(
        "--on-drift <action>",
        "the most that is done when live resources differ from the applied commit (default: report)",
      ).choices(modes),
    );
}
