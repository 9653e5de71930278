import picocolors from "picocolors";
import type { Report } from "../../core/execution/execute/index.ts";
import type { Plan } from "../../core/planning/plan/index.ts";
import { type PlanView, renderPlan } from "./plan.ts";
import { renderReport } from "./report.ts";

/** Plans that were carried out, each with what became of it, as text without colours. */
export async function carriedOutText(
  runs: readonly { plan: Plan; report?: Report | undefined }[],
  now: Pick<PlanView, "budget" | "now">,
): Promise<string> {
  const view = { ...now, colors: picocolors.createColors(false) };
  const texts = await Promise.all(
    runs.map(async ({ plan, report }) => [
      await renderPlan(plan, view),
      ...(report ? [renderReport(report, view)] : []),
    ]),
  );
  return `${texts.flat().join("\n\n")}\n`;
}
