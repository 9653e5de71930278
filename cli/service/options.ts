import { type Command, Option } from "commander";

// Stated again, because loading the reconciler takes ten times as long as showing help.
const modes = ["off", "report", "apply"];

/** Adds the flags of a service: where it looks, what it does, who may see it, and those for acting on one that runs. */
export function addServiceOptions(line: Command): void {
  addActing(line);
  addRepository(line);
  addManySources(line);
  addPage(line);
  addWebhookAndNotifications(line);
  addForge(line);
  addPolicy(line);
}

function addActing(line: Command): void {
  line
    .optionsGroup("Acting on the running service:")
    .option(
      "--exit-code",
      "of status: exit with 0 if all is in step, 2 if something differs or waits, 1 if something has failed or is unknown",
    )
    .option("--plan <digest>", "of approve: the plan, as status shows it")
    .option(
      "--to <commit>",
      "of rollback: a commit that was applied there before; of wait: the commit that has to be applied",
    )
    .option(
      "--for <time>",
      "of pause: how long, such as 90m, 12h or 3d; of wait: at most how long (default: 30m)",
    )
    .option("--until <time>", "of pause: until when, such as 2026-12-01T08:00:00Z")
    .option("--reason <text>", "of pause: why, for those who will wonder")
    .option("--all", "of resume: also the pauses of others, with the role approve")
    .option("--url <url>", "URL of the page of a service on another machine (default: that of --listen)");
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
    .option(
      "--require-signed <file>",
      "apply only commits that are signed with one of the ssh keys in this file of allowed signers",
    )
    .option("--interval <time>", "how often to look at the repository (default: 60s)")
    .option(
      "--budget-share <shares>",
      "percent of each window of the quota for looking and for applying (default: look=20,apply=60)",
    )
    .option("--once", "apply the newest commit once, and end");
}

function addManySources(line: Command): void {
  line
    .optionsGroup("Many sources:")
    .option(
      "--sources <place>",
      "keep many repositories in step: a folder with documents of kind Source, or the URL of a repository that has it at --path",
    )
    .option(
      "--source-files <folder>",
      "folder of the operator with the files that sources name, such as tokens",
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
    .option("--ui-token-file <file>", "ask for the token in this file before showing the page")
    .option(
      "--access-file <file>",
      "who may see and act, how people sign in, and what a commit may do, as a YAML file of the operator",
    )
    .option("--ui-public", "show the page without asking for a token");
}

function addWebhookAndNotifications(line: Command): void {
  line
    .optionsGroup("Webhook and notifications:")
    .option(
      "--webhook-listen <address>",
      "address for webhooks of the forge about pushes, a port, or off (default: off)",
    )
    .addOption(
      new Option(
        "--notify-format <format>",
        "form of the notifications to INFRASYNC_NOTIFY_URL (default: json)",
      ).choices(["slack", "json"]),
    );
  line.option(
    "--notify-file <file>",
    "who is notified of what, and what is told again, as a YAML file of the operator",
  );
  line.option(
    "--share-logs",
    "tell the last log line of a failed deployment in commit statuses and notifications too",
  );
}

function addForge(line: Command): void {
  line
    .optionsGroup("Forge:")
    .option("--previews", "make an environment for each pull request that the policy names")
    .option(
      "--commit-statuses",
      "report on the forge, as a commit status, whether the newest commit is applied",
    )
    .option("--forge-api <url>", "URL of the forge's API (default: that of the host of --repo)")
    .option("--forge-project <path>", "project on the forge (default: that of --repo)");
}

function addPolicy(line: Command): void {
  line
    .optionsGroup("Policy:")
    .addOption(
      new Option(
        "--on-commit <action>",
        "the most that is done with a new commit; the policy of the repository can ask for less (default: apply)",
      ).choices(modes),
    )
    .addOption(
      new Option(
        "--on-drift <action>",
        "the most that is done when live resources differ from the applied commit (default: report)",
      ).choices(modes),
    );
  line.option(
    "--max-deletes-per-day <count>",
    "limit for deletions and replacements in any 24 hours (default: that of one run)",
  );
  line.option(
    "--max-deletes-per-day-in-organization <count>",
    "with --sources: the same limit for all sources of an organization together (default: five times that of one)",
  );
}
