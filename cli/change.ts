import type { OperationContext } from "../core/operations/index.ts";
import type { Plan } from "../core/plan/index.ts";
import { carryOut, exitCodeOf } from "./carry-out.ts";
import type { Console } from "./console.ts";
import { exitCodes } from "./exit-codes.ts";
import { failureOf } from "./failure.ts";
import type { ConsentFlags } from "./flags.ts";
import { renderPlan } from "./render/plan.ts";
import { planJson } from "./render/plan-json.ts";
import { renderReport, reportJson } from "./render/report.ts";
import type { Settings } from "./settings/index.ts";
import type { Status } from "./status.ts";

/** A plan, and what it is carried out with. */
export interface Prepared {
  plan: Plan;
  operations: OperationContext;
}

/** Makes a plan, shows it, asks, carries it out and reports; gives the exit code. */
export async function showAndCarryOut(
  prepare: () => Promise<Prepared>,
  question: string,
  run: { settings: Settings; flags: ConsentFlags; status: Status; console: Console },
): Promise<number> {
  const { status, console } = run;
  status.working("reading what is live");
  const { plan, operations } = await prepare();
  const { client } = operations;
  status.pause();
  // Where the data is JSON, the plan has to be seen all the same by whoever is asked.
  const show = (text: string) => (console.json ? console.note(text) : console.data(text));
  const colors = console.json ? console.noteColors : console.dataColors;
  if (!console.json || !run.flags.autoApprove) show(renderPlan({ ...plan, problems: [] }, { colors, budget: client.budget, now: Date.now() }));

  const planned = planJson(plan, client.budget);
  try {
    const report = await carryOut(plan, question, operations, run);
    const code = report ? exitCodeOf(report, console) : exitCodes.done;
    if (console.json) console.document({ ok: code === exitCodes.done, plan: planned, ...(report && { report: reportJson(report, client.budget) }) });
    else if (report) console.data(`\n${renderReport(report, { colors, budget: client.budget, now: Date.now() })}`);
    return code;
  } catch (error) {
    if (!console.json) throw error;
    const { json, exitCode } = failureOf(error, console);
    console.document({ ...json, plan: planned });
    return exitCode;
  }
}
