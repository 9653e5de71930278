import { type Command, Option } from "commander";
import { memberFlags } from "./verbs.ts";

// Repeated here, because loading the reconciler takes ten times as long as showing help.
const modes = ["off", "report", "apply"];

const groups: Readonly<Record<string, readonly (readonly [flag: string, words: string])[]>> = {
  "Acting on the running service:": [
    [
      "--exit-code",
      "of status: exit with 0 if all is synced, 2 if something differs or waits, 1 if something has failed or is unknown",
    ],
    ["--url <url>", "URL of the page of a service on another machine (default: that of --listen)"],
    ...memberFlags().map(({ flag, words }) => [flag, words] as const),
  ],
  "Repository:": [
    ["--repo <url>", "URL of the repository: https or ssh"],
    ["--branch <name>", "branch whose newest commit is applied (default: main)"],
    [
      "--revision <revision>",
      "follow a tag, the highest version of a range such as 'v1.*', or one commit of the branch, instead of its newest commit",
    ],
    ["--path <folder>", "folder of the manifests in the repository (default: the whole repository)"],
    ["--data <folder>", "folder for its state (default: a temporary one)"],
    ["--allow-local-repo", "allow a repository on this machine: a path or a file URL"],
    ["--interval <time>", "how often to check the repository (default: 60s)"],
    ["--once", "apply the newest commit once, and end"],
  ],
  "Many sources:": [
    [
      "--sources <place>",
      "sync many repositories: a folder with documents of kind Source, or the URL of a repository that has it at --path",
    ],
    [
      "--database <url>",
      "URL of a PostgreSQL database that several workers share, without a password (default: INFRASYNC_DATABASE)",
    ],
    ["--source <name>", "act on one of many sources, or show its status"],
  ],
  "Page:": [
    ["--listen <address>", "address of the page, a port, or off (default: 127.0.0.1:8081)"],
    [
      "--access-file <file>",
      "who may see and act, how people sign in, and what a commit may do, as a YAML file of the operator",
    ],
  ],
  "Webhook:": [
    [
      "--webhook-listen <address>",
      "address for webhooks of the Git host about pushes, a port, or off (default: off)",
    ],
  ],
};

/** Adds the flags of a service. */
export function addServiceOptions(line: Command): void {
  for (const [group, flags] of Object.entries(groups)) {
    line.optionsGroup(group);
    for (const [flag, words] of flags) line.option(flag, words);
  }
  line
    .optionsGroup("Policy:")
    .addOption(
      new Option("--on-drift <action>", "limit of on_drift in the policy (default: report)").choices(modes),
    );
}
