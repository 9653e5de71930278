import { Option } from "commander";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { PlanFlags, WaitFlags } from "../flags.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addPace, addPlanning, addSources, addWaiting } from "./options.ts";

interface Flags extends PlanFlags, WaitFlags {
  destroy?: boolean;
  out?: string;
  detailedExitcode?: boolean;
  output?: "text" | "json" | "markdown";
}

/** `infrasync plan`: shows what apply or destroy would change. */
export const plan: Command<[sources: string[]], Flags> = {
  name: "plan",
  alias: "diff",
  description: "Show what apply or destroy would change.",
  examples: [
    "plan manifests",
    "plan manifests --target 'job:shop/staging/*' --out plan.json",
    "plan manifests --destroy",
    "plan manifests --output markdown > comment.md",
  ],

  declare(line) {
    addSources(line);
    line
      .addOption(
        new Option("--destroy", "show what destroy would delete").conflicts(["allowReplace", "strict"]),
      )
      .option("--out <file>", "save the plan to this file, for apply --plan")
      .option("--detailed-exitcode", "exit with 2 when there are changes");
    addPlanning(line);
    // plan accepts every flag of apply, so that a script can pass the same flags to both.
    addPace(line, "; used by apply, ignored by plan");
    addWaiting(line, "wait until the deployments are over", "; used by apply, ignored by plan");
    addConnection(line);
    addOutput(
      line,
      new Option(
        "-o, --output <format>",
        "text, one JSON document on standard output, or Markdown for a pull request comment",
      ).choices(["text", "json", "markdown"]),
    );
  },

  async run({ args: [sources], flags, console }) {
    const engine = await import("../engine/index.ts");
    if (flags.out !== undefined) await engine.ensurePlanWritable(flags.out);
    const { settings, ...wanted } = await engine.readInputs(sources, flags, console);
    const { made, budget } = await engine.withStatus(console, async (status) => {
      status.working("reading live resources");
      const session = await engine.openSession(settings, console, status);
      return {
        made: await engine.planWanted(flags.destroy ? "destroy" : "reconcile", wanted, session),
        budget: session.operations.client.budget,
      };
    });
    const isRefused = made.problems.length > 0;
    if (flags.out !== undefined && !isRefused) await engine.writePlan(flags.out, made, settings.baseUrl);
    const now = Date.now();
    if (console.json) console.document({ ...outcomeOf(made.problems), ...engine.planJson(made, budget) });
    else if (flags.output === "markdown") console.data(engine.planMarkdown(made, budget, now));
    else console.data(engine.renderPlan(made, { colors: console.dataColors, budget, now }));
    if (isRefused) return exitCodes.invalid;
    if (flags.out !== undefined && !console.json)
      console.note(
        `\nThe plan is saved. To apply exactly this plan: infrasync apply --plan ${escapeControl(flags.out)}`,
      );
    for (const flag of paceFlags(flags))
      console.note(`A plan does not store ${flag}; give it to infrasync apply.`);
    return flags.detailedExitcode && engine.hasChanges(made) ? exitCodes.changes : exitCodes.done;
  },
};

/** Whether the plan can be applied, for programs. */
function outcomeOf(problems: readonly Problem[]): object {
  const [first, second] = problems;
  if (!first) return { ok: true };
  const message = second ? `${problems.length} consents are missing` : first.message;
  return { ok: false, error: { code: "consent", message } };
}

/** The given flags that only apply uses and a saved plan does not store. */
function paceFlags({ parallelism, cloneTimeout, wait, waitTimeout }: Flags): string[] {
  return [
    ...(parallelism === undefined ? [] : ["--parallelism"]),
    ...(cloneTimeout === undefined ? [] : ["--clone-timeout"]),
    ...(wait ? ["--wait"] : []),
    ...(waitTimeout === undefined ? [] : ["--wait-timeout"]),
  ];
}
