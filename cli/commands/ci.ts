import type { CiFlags } from "../../ci/status-text.ts";
import type { Command } from "./command.ts";

/** `infrasync ci`: shows plans on pull requests and applies reviewed ones, in jobs of GitHub Actions and GitLab CI. */
export const ci: Command<[what: "plan" | "apply" | "check", sources: string[]], CiFlags> = {
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
