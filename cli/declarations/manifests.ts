import { Option } from "commander";
import type { Console } from "../console.ts";
import {
  addApplying,
  addConnection,
  addDeleting,
  addOutput,
  addPace,
  addPlanning,
  addSources,
} from "../options.ts";
import type { Add, End } from "./declare.ts";

/** Declares `infrasync validate`. */
export function addValidate(add: Add, console: Console, end: End): void {
  const command = add(
    "validate",
    "Check manifests; nothing is sent.",
    "validate manifests",
    "validate shop.yaml jobs/",
  );
  addSources(command);
  command.option(
    "--config <file>",
    "settings file (default: infrasync.config.yaml beside or above the manifests, else here)",
  );
  addOutput(command);
  command.action(async (sources, flags) =>
    end(await (await import("../commands/validate.ts")).validate(sources, flags, console)),
  );
}

/** Declares `infrasync plan`. */
export function addPlan(add: Add, console: Console, end: End): void {
  const command = add(
    "plan",
    "Show what apply or destroy would change.",
    "plan manifests",
    "plan manifests --target 'job:shop/staging/*' --out plan.json",
    "plan manifests --destroy",
    "plan manifests --output markdown > comment.md",
  );
  addSources(command.alias("diff"));
  command
    .addOption(
      new Option("--destroy", "show what destroy would delete").conflicts(["allowReplace", "strict"]),
    )
    .option("--out <file>", "also save the plan, for apply --plan")
    .option("--detailed-exitcode", "exit with 2 when there are changes");
  addPlanning(command);
  // What is given to apply can be given to plan, in a script that runs both.
  addPace(command, "; for apply, of no effect on a plan");
  addConnection(command);
  addOutput(
    command,
    new Option(
      "-o, --output <format>",
      "text, one JSON document on standard output, or Markdown for a comment on a change",
    ).choices(["text", "json", "markdown"]),
  );
  command.action(async (sources, flags) =>
    end(await (await import("../commands/plan.ts")).plan(sources, flags, console)),
  );
}

/** Declares `infrasync apply`. */
export function addApply(add: Add, console: Console, end: End): void {
  const command = add(
    "apply",
    "Make what is live what the manifests describe.",
    "apply manifests",
    "apply --plan plan.json --yes",
  );
  addSources(command);
  command.option("--plan <file>", "carry out a saved plan, just as it is");
  addPlanning(command);
  addApplying(command);
  addConnection(command);
  addOutput(command);
  command.action(async (sources, flags) =>
    end(await (await import("../commands/apply.ts")).apply(sources, flags, console)),
  );
}

/** Declares `infrasync destroy`. */
export function addDestroy(add: Add, console: Console, end: End): void {
  const command = add(
    "destroy",
    "Delete what the manifests describe.",
    "destroy manifests",
    "destroy manifests --target 'shop/preview-*/**' --yes",
  );
  addSources(command);
  addDeleting(command);
  addApplying(command);
  addConnection(command);
  addOutput(command);
  command.action(async (sources, flags) =>
    end(await (await import("../commands/destroy.ts")).destroy(sources, flags, console)),
  );
}
