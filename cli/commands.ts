import { Argument, type Command, Option } from "commander";
import type { Console } from "./console.ts";
import {
  addApplying,
  addConnection,
  addDeleting,
  addOutput,
  addPace,
  addPlanning,
  addSources,
  collect,
} from "./options.ts";

/** Adds a command with its examples. */
export type Add = (name: string, description: string, ...examples: string[]) => Command;
/** Is told the exit code. */
type End = (code: number) => void;

function addValidate(add: Add, console: Console, end: End): void {
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
    end(await (await import("./commands/validate.ts")).validate(sources, flags, console)),
  );
}

function addPlan(add: Add, console: Console, end: End): void {
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
    end(await (await import("./commands/plan.ts")).plan(sources, flags, console)),
  );
}

function addApply(add: Add, console: Console, end: End): void {
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
    end(await (await import("./commands/apply.ts")).apply(sources, flags, console)),
  );
}

function addDestroy(add: Add, console: Console, end: End): void {
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
    end(await (await import("./commands/destroy.ts")).destroy(sources, flags, console)),
  );
}

function addClone(add: Add, console: Console, end: End): void {
  const command = add(
    "clone",
    "Clone a resource, and print the manifest of the clone.",
    "clone job shop/production/migrate --to shop/staging --set cpu=250",
    "clone environment shop/production --to shop --name preview-42 --set mode=DEVELOPMENT --yes",
    "clone application shop/production/api --to shop/staging --dry-run > api.yaml",
  );
  command
    .argument("<kind>", "what it is, such as job")
    .argument("<source>", "what to clone, such as shop/production/migrate")
    .requiredOption(
      "--to <reference>",
      "where the clone goes: an environment, for an environment its project",
    )
    .option("--name <name>", "name of the clone (default: that of its source)")
    .option(
      "--set <assignment>",
      "what is to differ, such as cpu=250 or source.image.tag=1.4.2; repeatable",
      collect,
    )
    .option("--dry-run", "change nothing: show the plan, and print the manifest that would make the clone");
  addApplying(command);
  addConnection(command);
  addOutput(command);
  command.action(async (kind, source, flags) =>
    end(await (await import("./commands/clone.ts")).clone(kind, source, flags, console)),
  );
}

function addDump(add: Add, console: Console, end: End): void {
  const command = add(
    "dump",
    "Write manifests of what is live.",
    "dump --out manifests",
    "dump shop/staging",
    "dump job:shop/staging/migrate --out migrate.yaml",
  );
  command
    .argument(
      "[addresses...]",
      "what to write, with all that is in it: shop, shop/staging, job:shop/staging/migrate (default: the whole organization)",
    )
    .option(
      "--out <path>",
      "a file that ends in .yaml, or a folder that gets a file a resource (default: standard output)",
    );
  addConnection(command);
  addOutput(command);
  command.action(async (addresses, flags) =>
    end(await (await import("./commands/dump.ts")).dump(addresses, flags, console)),
  );
}

function addSchema(add: Add, console: Console, end: End): void {
  const command = add(
    "schema",
    "Print the JSON Schema of manifests, for editors.",
    "schema",
    "schema job",
    "schema --out .schemas",
  );
  command
    .argument("[kind]", "of this kind alone")
    .option("--out <folder>", "write the schemas of all kinds to files");
  addOutput(command);
  command.action(async (kind, flags) =>
    end(await (await import("./commands/schema.ts")).schema(kind, flags, console)),
  );
}

function addEmulator(add: Add, console: Console, end: End): void {
  const command = add(
    "emulator",
    "Run the API as a local server, to try things out and for tests.",
    "emulator",
    "emulator --port 0 --latency 100 --data state.json",
    "emulator --env > emulator.env &",
  );
  command
    .option("--port <number>", "port of this machine; 0 takes a free one (default: 8080)")
    .option("--latency <ms>", "milliseconds added to every answer (default: 0)")
    .option("--rate-limit <number>", "requests in a window and by token; 0 for no limit (default: 1000)")
    .option("--rate-window <seconds>", "how long a window is (default: 3600)")
    .option("--clone-delay <ms>", "milliseconds until a clone can be read (default: 0)")
    .option("--delete-delay <ms>", "milliseconds that a deletion takes (default: 0)")
    .option("--deploy-delay <ms>", "milliseconds that a deployment takes (default: 2000)")
    .option("--allow-duplicate-names", "let resources of one parent and kind share a name")
    .option("--frozen-clock", "let time move by POST /_emulator/clock alone")
    .option("--seed <file>", "start from the organization that this YAML or JSON file describes")
    .option("--data <file>", "keep the state in this file")
    .option("--log", "write a line for each request to standard error")
    .option("--env", "when it is ready, print the line that a shell needs to use it, not JSON")
    .addHelpText(
      "after",
      `
When it is ready it prints one line of JSON: url, organization, tokens, clusters and registries.
GET /_emulator/requests tells what was asked of it, POST /_emulator/faults makes it fail on purpose,
POST /_emulator/reset begins again; docs/emulator.md has the rest.`,
    );
  command.action(async (flags) =>
    end(await (await import("./commands/emulator.ts")).emulator(flags, console)),
  );
}

function addCompletion(add: Add, console: Console, end: End): void {
  const command = add(
    "completion",
    "Print a script that completes command lines.",
    "completion bash > /etc/bash_completion.d/infrasync",
    "completion fish | source",
  );
  command.addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]));
  command.action(async (shell) => {
    const { completion } = await import("./commands/completion.ts");
    if (command.parent) end(completion(shell, command.parent, console));
  });
}

/** Every command, in the order of the help. */
export const commands = [
  addValidate,
  addPlan,
  addApply,
  addDestroy,
  addClone,
  addDump,
  addSchema,
  addEmulator,
  addCompletion,
];
