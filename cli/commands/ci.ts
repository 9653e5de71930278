import { Argument } from "commander";
import type { CiFlags } from "../../ci/status-text.ts";
import type { Command } from "./command.ts";
import {
  addApplying,
  addCommands,
  addConnection,
  addPlanning,
  addSet,
  addSources,
  addWaiting,
} from "./options.ts";

/** `infrasync ci`: shows plans on pull requests and applies reviewed ones, in jobs of GitHub Actions and GitLab CI. */
export const ci: Command<[what: "plan" | "apply" | "check", sources: string[]], CiFlags> = {
  everyday: ["--base", "--expect", "--target", "--prune", "--deploy", "--wait"],
  examples: ["ci plan manifests", "ci apply manifests", "ci check manifests"],

  declare(line) {
    line.addArgument(
      new Argument(
        "<what>",
        "plan: plan the pull request of the job, as a comment and a status; apply: apply the merged commit if its plan is the reviewed one; check: find open pull requests whose plan is stale",
      ).choices(["plan", "apply", "check"]),
    );
    addSources(line);
    addSet(line);
    line
      .optionsGroup("Forge:")
      .option(
        "--name <name>",
        "name of the comment and of the status; each folder with a plan of its own needs another",
        "infrasync",
      )
      .option("--base <reference>", "plan: what to compare with (default: the base of the pull request)")
      .option("--expect <digest>", "apply: the digest to expect (default: that of the merged pull request)");
    addPlanning(line);
    addApplying(line, "ci");
    addCommands(line);
    addWaiting(line, { note: "; used by ci apply" });
    addConnection(line);
  },

  async run({ args: [what, sources], flags, console: outer }) {
    const { env, signal } = outer.io;
    // The author of a pull request must not read the runner's secrets.
    const console = outer.within({ env, signal, localRepositories: false });
    (await import("../../ci/runner-commands.ts")).stopRunnerCommands(console);
    switch (what) {
      case "plan":
        return (await import("../../ci/plan.ts")).planPullRequest(sources, flags, console);
      case "apply":
        return (await import("../../ci/apply.ts")).applyMerged(sources, flags, console);
      case "check":
        return (await import("../../ci/check.ts")).checkPullRequests(sources, flags, console);
      default:
        return what satisfies never;
    }
  },
};
