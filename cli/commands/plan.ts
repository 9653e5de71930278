import { Option } from "commander";
import type { Budget } from "../../core/api/index.ts";
import type { Plan } from "../../core/plan/index.ts";
import type { Problem } from "../../core/problem.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { PlanFlags, WaitFlags } from "../flags.ts";
import type { Comparison } from "../render/compared.ts";
import type { Console } from "../terminal/console.ts";
import type { Command } from "./command.ts";
import { addConnection, addOutput, addPace, addPlanning, addSources, addWaiting } from "./options.ts";

interface Flags extends PlanFlags, WaitFlags {
  destroy?: boolean;
  base?: string;
  out?: string;
  detailedExitcode?: boolean;
  output?: "text" | "json" | "markdown" | "html";
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
    "plan manifests --output html > plan.html",
    "plan manifests --base origin/main",
  ],

  declare(line) {
    addSources(line);
    line
      .addOption(
        new Option("--destroy", "show what destroy would delete").conflicts(["allowReplace", "strict"]),
      )
      .addOption(
        new Option(
          "--base <reference>",
          "also plan what this reference of the repository describes, or this folder, and show what the change itself does",
        ).conflicts(["destroy"]),
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
        "text, one JSON document on standard output, Markdown for a pull request comment, or one HTML file",
      ).choices(["text", "json", "markdown", "html"]),
    );
  },

  async run({ args: [sources], flags, console }) {
    const engine = await import("../engine/index.ts");
    const { ensurePlanWritable, writePlan } = await import("../../core/saved-plan/index.ts");
    if (flags.out !== undefined) await ensurePlanWritable(flags.out);
    const { settings, ...wanted } = await engine.readInputs(sources, flags, console);
    const { withStatus } = await import("../progress/with-status.ts");
    const base =
      flags.base === undefined ? undefined : await engine.readBase(flags.base, sources, flags, console.io);
    const { proposal, run, comparison } = await withStatus(console, async (status) => {
      status.working("reading live resources");
      const session = await engine.openSession(settings, console, status);
      const prepared = await engine.proposeWanted(flags.destroy ? "destroy" : "reconcile", wanted, session);
      if (base === undefined || flags.base === undefined) return { ...prepared, comparison: undefined };
      const { comparePlans, propose } = await import("../../core/run/index.ts");
      const other = await propose(prepared.run, session.organization, "reconcile", base, wanted.policy);
      return {
        ...prepared,
        comparison: { name: flags.base, ...comparePlans(other.plan, prepared.proposal.plan) },
      };
    });
    const { plan: made } = proposal;
    const isRefused = proposal.missingConsents.length > 0;
    if (flags.out !== undefined && !isRefused) await writePlan(flags.out, made, settings.baseUrl);
    await showPlan(made, comparison, run.client.budget, flags, console);
    if (isRefused) return exitCodes.invalid;
    if (flags.out !== undefined && !console.json)
      console.note(
        `\nThe plan is saved. To apply exactly this plan: infrasync apply --plan ${escapeControl(flags.out)}`,
      );
    for (const flag of paceFlags(flags))
      console.note(`A plan does not store ${flag}; give it to infrasync apply.`);
    const { hasChanges } = await import("../../core/plan/index.ts");
    const isChange = comparison ? comparison.own.length > 0 : hasChanges(made);
    return flags.detailedExitcode && isChange ? exitCodes.changes : exitCodes.done;
  },
};

async function showPlan(
  made: Plan,
  comparison: Comparison | undefined,
  budget: Budget,
  { output }: Flags,
  console: Console,
): Promise<void> {
  const now = Date.now();
  if (console.json) {
    const { planJson } = await import("../render/json.ts");
    const { comparedJson } = await import("../render/compared.ts");
    console.document({
      ...outcomeOf(made.problems),
      ...planJson(made, budget),
      ...(comparison && comparedJson(comparison)),
    });
  } else if (output === "markdown") {
    const { planMarkdown } = await import("../render/plan-markdown.ts");
    console.data(planMarkdown(made, budget, now, comparison));
  } else if (output === "html") {
    const { runsHtml } = await import("../render/plan-html.ts");
    console.data(runsHtml([{ plan: made, ...(comparison && { comparison }) }], { budget, now }));
  } else {
    const { renderPlan } = await import("../render/plan.ts");
    const { hasChanges } = await import("../../core/plan/index.ts");
    const { digestOfActions } = await import("../../core/codec/index.ts");
    const { renderCompared } = await import("../render/compared.ts");
    const view = { colors: console.dataColors, budget, now };
    const text = comparison ? renderCompared(made, comparison, view) : renderPlan(made, view);
    // A deletion by destroy has no review: it is applied by whoever plans it.
    const isReviewed = hasChanges(made) && made.goal === "reconcile";
    console.data(isReviewed ? `${text}\nDigest: ${digestOfActions(made)}` : text);
  }
}

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
