import { ensurePlanWritable, writePlan } from "../../core/plan-file.ts";
import { hasChanges } from "../../core/plan/index.ts";
import { escapeControl } from "../../core/text.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import type { PlanFlags } from "../flags.ts";
import { readInputs } from "../inputs.ts";
import { planFor } from "../planning.ts";
import { renderPlan } from "../render/plan.ts";
import { planJson } from "../render/plan-json.ts";
import { planMarkdown } from "../render/plan-markdown.ts";
import { openSession } from "../session.ts";
import { withStatus } from "../status.ts";

interface Flags extends PlanFlags {
  destroy?: boolean;
  out?: string;
  detailedExitcode?: boolean;
  output?: "text" | "json" | "markdown";
}

/** `infrasync plan`: what apply or destroy would change. */
export async function plan(sources: string[], flags: Flags, console: Console): Promise<number> {
  if (flags.out !== undefined) await ensurePlanWritable(flags.out);
  const { settings, ...wanted } = await readInputs(sources, flags, console);
  const { made, budget } = await withStatus(console, async (status) => {
    status.working("reading what is live");
    const session = await openSession(settings, console, status);
    return {
      made: await planFor(flags.destroy ? "destroy" : "reconcile", wanted, session),
      budget: session.client.budget,
    };
  });
  if (flags.out !== undefined) await writePlan(flags.out, made, settings.baseUrl);
  const now = Date.now();
  if (console.json) console.document({ ok: true, ...planJson(made, budget) });
  else if (flags.output === "markdown") console.data(planMarkdown(made, budget, now));
  else console.data(renderPlan(made, { colors: console.dataColors, budget, now }));
  if (flags.out !== undefined && !console.json)
    console.note(
      `\nThe plan is saved; infrasync apply --plan ${escapeControl(flags.out)} carries out just that.`,
    );
  for (const flag of paceFlags(flags))
    console.note(`${flag} is not part of the plan: give it to the command that carries it out.`);
  return flags.detailedExitcode && hasChanges(made) ? exitCodes.changes : exitCodes.done;
}

/** The flags that a plan has no use for, and does not keep. */
function paceFlags({ parallelism, cloneTimeout }: Flags): string[] {
  return [
    ...(parallelism === undefined ? [] : ["--parallelism"]),
    ...(cloneTimeout === undefined ? [] : ["--clone-timeout"]),
  ];
}
