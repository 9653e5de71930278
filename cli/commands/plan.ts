import { Option } from "commander";
import type { Plan } from "../../core/plan/index.ts";
import { escapeControl } from "../../core/text.ts";
import { exitCodes } from "../exit-codes.ts";
import type { PlanFlags, WaitFlags } from "../flags.ts";
import type { Io } from "../terminal/io.ts";
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
    const { readInputs } = await import("../engine/inputs.ts");
    const { openSession } = await import("../engine/session.ts");
    const { proposeWanted } = await import("../engine/wanted.ts");
    const file = flags.out === undefined ? undefined : await planFile(flags.out);
    const { settings, ...wanted } = await readInputs(sources, flags, console);
    const { withStatus } = await import("../progress/with-status.ts");
    const base = await describedBase(flags, sources, console.io);
    const { proposal, run, set, comparison } = await withStatus(console, async (status) => {
      status.reading();
      const session = await openSession(settings, console, status);
      const prepared = await proposeWanted(flags.destroy ? "destroy" : "reconcile", wanted, session);
      if (base === undefined || flags.base === undefined) return { ...prepared, comparison: undefined };
      const { comparePlans } = await import("../../core/run/compare.ts");
      const { propose } = await import("../../core/run/propose.ts");
      const other = await propose(prepared.run, session.organization, "reconcile", base, wanted.policy);
      return {
        ...prepared,
        comparison: { name: flags.base, ...comparePlans(other.plan, prepared.proposal.plan) },
      };
    });
    const { plan: made } = proposal;
    const isRefused = proposal.missingConsents.length > 0;
    if (!isRefused) await file?.write(made, settings.baseUrl);
    const { showPlan } = await import("../engine/show-plan.ts");
    await showPlan(made, { comparison, set, budget: run.client.budget }, flags.output, console);
    if (isRefused) return exitCodes.invalid;
    if (flags.out !== undefined && !console.json)
      console.note(
        `\nThe plan is saved. To apply exactly this plan: infrasync apply --plan ${escapeControl(flags.out)}`,
      );
    for (const flag of paceFlags(flags))
      console.note(`A plan does not store ${flag}; give it to infrasync apply.`);
    const { hasChanges } = await import("../../core/plan/action.ts");
    const isChange = comparison ? comparison.own.length > 0 : hasChanges(made);
    return flags.detailedExitcode && isChange ? exitCodes.changes : exitCodes.done;
  },
};

/** The file that keeps the plan. Fails when it cannot be written. */
async function planFile(path: string) {
  const { ensurePlanWritable, writePlan } = await import("../../core/saved-plan/index.ts");
  await ensurePlanWritable(path);
  return { write: (made: Plan, baseUrl: string) => writePlan(path, made, baseUrl) };
}

/** The resources that the base describes; undefined without a base. */
async function describedBase(flags: Flags, sources: readonly string[], io: Io) {
  if (flags.base === undefined) return undefined;
  const { readBase } = await import("../engine/base.ts");
  return readBase(flags.base, sources, withoutSet(flags), io);
}

/** What the command line sets is a part of the change, not of its base. */
function withoutSet({ set: _set, ...flags }: Flags): Flags {
  return flags;
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
