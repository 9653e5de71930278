import { Argument, Option } from "commander";
import { InvalidInputError, type Problem } from "../../core/problem.ts";
import { type PolicyFlags, readOperatorRules } from "./reconcile/operator-rules.ts";
import { type ForgeFlags, readForge } from "./reconcile/forge.ts";
import { notifyRestrictions, type NotifyFlags, readNotifications } from "./reconcile/notifications.ts";
import {
  accessFileOf,
  type PageFlags,
  readPagePlace,
  type WebhookFlags,
  readWebhookPlace,
} from "./reconcile/page.ts";
import { type RepositoryFlags, readPlace, withRepository } from "../support/repository.ts";
import { readSourcesPlace, type SourcesFlags } from "./reconcile/fleet/place.ts";
import { sendWish, whereItRuns, type WishFlags } from "./reconcile/wish.ts";
import type { ConsentFlags } from "../flags.ts";
import { missingAnswer } from "../terminal/ask.ts";
import type { Verb } from "../help.ts";
import type { Command } from "./command.ts";
import {
  addApplying,
  addCommands,
  addConnection,
  addOutput,
  addPlanning,
  addVariables,
  addWaiting,
} from "./options.ts";
import { liveAddress } from "../support/named-environments.ts";
import { readSettings } from "../support/read-settings.ts";
import { type DoorFlags, readDoor } from "./reconcile/door.ts";
import { showServiceStatus } from "./reconcile/status.ts";
import { waitForService } from "./reconcile/wait.ts";

interface Flags
  extends
    SourcesFlags,
    RepositoryFlags,
    PageFlags,
    WebhookFlags,
    WishFlags,
    DoorFlags,
    NotifyFlags,
    ForgeFlags,
    PolicyFlags,
    ConsentFlags {
  once?: boolean;
  exitCode?: boolean;
}

// Stated again, as the modes are, because loading the reconciler takes ten times as long as showing help.
type What =
  | "status"
  | "wait"
  | "refresh"
  | "sync"
  | "retry"
  | "approve"
  | "rollback"
  | "follow"
  | "withdraw"
  | "pause"
  | "resume"
  | "migrate";
const verbs: Record<What, Verb> = {
  status: { description: "Show how the running service stands.", flags: ["--exit-code", ...whereItRuns] },
  wait: {
    description: "Wait until all is in step and healthy, or has failed.",
    flags: ["--to", "--for", ...whereItRuns],
  },
  refresh: { description: "Have it read live resources anew.", flags: whereItRuns },
  sync: { description: "Have it apply what differs.", flags: whereItRuns },
  retry: { description: "Have it deploy again what has failed.", flags: whereItRuns },
  approve: {
    description: "Have it carry out the plan of an environment.",
    flags: ["--plan", ...whereItRuns],
  },
  rollback: {
    description: "Have it apply an earlier commit, and stay there.",
    flags: ["--to", ...whereItRuns],
  },
  follow: { description: "End a rollback: follow the repository again.", flags: whereItRuns },
  withdraw: { description: "Take back a sync, a retry or an approval that waits.", flags: whereItRuns },
  pause: {
    description: "Have it apply nothing for a while.",
    flags: ["--for", "--until", "--reason", ...whereItRuns],
  },
  resume: { description: "End your own pause.", flags: ["--all", ...whereItRuns] },
  migrate: {
    description: "Make or update the database tables that workers share.",
    flags: ["--database"],
  },
};
const modes = ["off", "report", "apply"];

/** `infrasync reconcile`: applies the commits of a repository, once or as a service; shows how the service stands. */
export const reconcile: Command<[what: What | undefined, environment: string | undefined], Flags> = {
  verbs,
  everyday: ["--repo", "--data", "--once", "--sources", "--yes"],
  examples: [
    "reconcile --repo https://git.example.com/acme/infra.git --path manifests --once --yes",
    "reconcile --repo ssh://git@git.example.com/acme/infra.git --data /var/lib/infrasync --yes",
    "reconcile --sources sources --source-files /etc/infrasync/files --data /var/lib/infrasync --yes",
    "reconcile status",
    "reconcile wait shop/staging --to 3f2c1a9 --for 20m",
    "reconcile rollback shop/production --to 3f2c1a9 --data /var/lib/infrasync",
    "reconcile pause shop/production --for 2h --reason 'a migration by hand' --data /var/lib/infrasync",
    "reconcile resume shop/production --data /var/lib/infrasync",
    "reconcile migrate --database postgres://infrasync@db.example.com/infrasync",
  ],

  declare(line) {
    line.addArgument(
      new Argument("[what]", "a verb, for a service that runs (default: run one)").choices(
        Object.keys(verbs),
      ),
    );
    line.argument("[environment]", "such as shop/production; to pause also 'shop/*'");
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
    line
      .optionsGroup("Page:")
      .option("--listen <address>", "address of the page, a port, or off (default: 127.0.0.1:8081)")
      .option("--ui-token-file <file>", "ask for the token in this file before showing the page")
      .option(
        "--access-file <file>",
        "who may see and act, how people sign in, and what a commit may do, as a YAML file of the operator",
      )
      .option("--ui-public", "show the page without asking for a token");
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
    line
      .optionsGroup("Forge:")
      .option("--previews", "make an environment for each pull request that the policy names")
      .option(
        "--commit-statuses",
        "report on the forge, as a commit status, whether the newest commit is applied",
      )
      .option("--forge-api <url>", "URL of the forge's API (default: that of the host of --repo)")
      .option("--forge-project <path>", "project on the forge (default: that of --repo)");
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
    addVariables(line);
    addPlanning(line);
    addApplying(line);
    addCommands(line);
    addWaiting(line);
    addConnection(line);
    addOutput(line);
  },

  async run({ args: [what, environment], flags, console }) {
    if (what === "migrate") {
      const { migrateTables } = await import("./reconcile/migrate.ts");
      return migrateTables(environment, flags, console);
    }
    const { reconcileOnce } = await import("./reconcile/once.ts");
    const { runService } = await import("./reconcile/serve.ts");
    const problems: Problem[] = [];
    // A single run has no page and receives no webhooks, whatever the variables of a service say.
    const isService = flags.once !== true || what !== undefined;
    const page = isService ? readPagePlace(flags, console.io, problems) : undefined;
    if (what !== undefined) {
      const door = await readDoor(flags, page, console, problems);
      const named = environment && (await liveAddress(environment, flags, console.io, problems)).address;
      const live = named?.replace(/^environment:/, "");
      if (what === "wait") return waitForService(door, live, flags, problems, console);
      return what === "status"
        ? showServiceStatus(door, flags.exitCode === true, problems, console)
        : sendWish({ type: what, environment: live ?? "" }, flags, door, problems, console);
    }
    const access = accessFileOf(flags, console.io);
    const sources = readSourcesPlace(flags, console.io, problems);
    if (sources) {
      const { serveSources } = await import("./reconcile/fleet/command.ts");
      return serveSources({ sources, flags, page, access, problems, console });
    }
    const webhook = isService ? readWebhookPlace(flags, console.io, problems) : undefined;
    const notifications = isService ? await readNotifications(flags, console, problems) : undefined;
    const restrictions = isService ? [] : await notifyRestrictions(flags, console.io, problems);
    const place = readPlace(flags, console.io, problems);
    const forge = await readForge(flags, place?.address, console, problems);
    if (flags.once && (flags.previews || flags.commitStatuses))
      problems.push({
        code: "argument",
        message: "--previews and --commit-statuses need the service, but --once applies once and ends",
        advice: "leave --once out; infrasync preview makes previews by hand",
      });
    const operator = readOperatorRules(flags, console.io, problems);
    const unanswered = missingAnswer("reconcile", "infrasync plan", flags, [], console);
    const settings = await readSettings(flags, console, {
      problems,
      unanswered,
      unwatched: "a reconciler runs by itself",
    });
    if (!place) throw new InvalidInputError(problems);
    if (!flags.once)
      return withRepository(place, flags, console, (source, repository) =>
        runService({
          settings,
          flags,
          repository,
          source,
          operator,
          place,
          page,
          access,
          webhook,
          notifications,
          forge,
          console,
        }),
      );
    return reconcileOnce({ settings, flags, place, operator, access, restrictions, console });
  },
};
