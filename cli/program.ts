import { Command, Option } from "commander";
import type { Console } from "./console.ts";
import { addApplying, addConnection, addOutput, addPlanning, addSources } from "./options.ts";
import { packageVersion } from "./version.ts";

const guide = `
Every command has its own help: infrasync plan --help

The token is read from INFRASYNC_TOKEN, or from the file that INFRASYNC_TOKEN_FILE names. Any other
setting has a flag (--base-url), an environment variable (INFRASYNC_BASE_URL) and a line in
infrasync.config.yaml (base_url: …); the first of these that is there counts.

Exit codes: 0 done or nothing to do, 1 failed, 2 there are changes (plan --detailed-exitcode),
3 wrong usage, settings or manifests, or a consent is missing, 4 not enough of the request quota is left.`;

/**
 * Makes the command line. `end` is told the exit code. Each command is loaded when it runs: help has to come at once.
 */
export function createProgram(console: Console, end: (code: number) => void): Command {
  const program = new Command("infrasync")
    .description("Keeps projects, environments, applications and jobs as YAML manifests describe them.")
    .usage("COMMAND [options]")
    .version(packageVersion(), "--version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show the help of a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.data(text.trimEnd()),
      writeErr: (text) => console.note(text.trimEnd()),
      // The error is thrown as well, and shown like any other.
      outputError: () => undefined,
      getOutHasColors: () => console.dataColors.isColorSupported,
      getErrHasColors: () => console.noteColors.isColorSupported,
    })
    .configureHelp({
      styleTitle: (title) => console.dataColors.bold(title),
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    })
    .addHelpText("after", guide);

  const add = (name: string, description: string, ...examples: string[]): Command =>
    program
      .command(name)
      .description(description)
      .addHelpText("after", `\nExamples:\n${examples.map((example) => `  $ infrasync ${example}`).join("\n")}`);

  const validate = add("validate", "Check manifests; nothing is sent.", "validate manifests", "validate shop.yaml jobs/");
  addSources(validate);
  validate.option("--config <file>", "settings file (default: infrasync.config.yaml beside the manifests or here)");
  addOutput(validate);
  validate.action(async (sources, flags) => end(await (await import("./commands/validate.ts")).validate(sources, flags, console)));

  const plan = add("plan", "Show what apply would change.", "plan manifests", "plan manifests --target 'job:shop/staging/*' --out plan.json").alias("diff");
  addSources(plan);
  plan.option("--out <file>", "also save the plan, for apply --plan").option("--detailed-exitcode", "exit with 2 when there are changes");
  addPlanning(plan);
  addConnection(plan);
  addOutput(plan);
  plan.action(async (sources, flags) => end(await (await import("./commands/plan.ts")).plan(sources, flags, console)));

  const apply = add("apply", "Make what is live what the manifests describe.", "apply manifests", "apply --plan plan.json --yes");
  addSources(apply);
  apply.option("--plan <file>", "carry out a saved plan, just as it is");
  addPlanning(apply);
  addApplying(apply);
  addConnection(apply);
  addOutput(apply);
  apply.action(async (sources, flags) => end(await (await import("./commands/apply.ts")).apply(sources, flags, console)));

  const destroy = add("destroy", "Delete what the manifests describe.", "destroy manifests", "destroy manifests --target 'environment:shop/preview-*' --yes");
  addSources(destroy);
  destroy
    .optionsGroup("What to delete:")
    .option("--target <pattern>", "only these, such as 'job:shop/staging/*'; repeatable", (value, earlier: string[] = []) => [...earlier, value])
    .option("--prune", "also what no manifest describes, in environments whose manifest says manage.prune")
    .option("--max-deletes <caps>", "how much may be deleted, in all and of an environment (default: 10,30%)");
  addApplying(destroy);
  addConnection(destroy);
  addOutput(destroy);
  destroy.action(async (sources, flags) => end(await (await import("./commands/destroy.ts")).destroy(sources, flags, console)));

  return program;
}
