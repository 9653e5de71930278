import { Option } from "commander";
import type { PlanningFlags } from "./plan/plan-manifests.ts";
import type { Command } from "./command.ts";
import {
  addConnection,
  addOutput,
  addPace,
  addPlanning,
  addSet,
  addSources,
  addWaiting,
  planFormats,
} from "./options.ts";

/** `infrasync plan`: shows what apply or destroy would change. */
export const plan: Command<[sources: string[]], PlanningFlags> = {
  name: "plan",
  alias: "diff",
  description: "Show what apply or destroy would change.",
  examples: [
    "plan manifests",
    "plan manifests --target 'job:shop/staging/*' --out plan.json",
    "plan manifests --destroy",
    "plan manifests --output markdown > comment.md",
    "plan manifests --output html > plan.html",
    "plan manifests --base origin/main",
  ],

  declare(line) {
    addSources(line);
    addSet(line);
    line
      .addOption(
        new Option("--destroy", "show what destroy would delete").conflicts(["allowReplace", "strict"]),
      )
      .addOption(
        new Option(
          "--base <reference>",
          "compare with this git reference, or this folder, and show what the change itself does",
        ).conflicts(["destroy"]),
      )
      .option("--out <file>", "save the plan to this file, for apply --plan")
      .option("--detailed-exitcode", "exit with 2 when there are changes");
    addPlanning(line);
    // plan accepts every flag of apply, so that a script can pass the same flags to both.
    addPace(line, "; used by apply, ignored by plan");
    addWaiting(line, "wait until the deployments are over", "; used by apply, ignored by plan");
    addConnection(line);
    addOutput(line, planFormats());
  },

  async run({ args: [sources], flags, console }) {
    const { planManifests } = await import("./plan/plan-manifests.ts");
    return planManifests(sources, flags, console);
  },
};
