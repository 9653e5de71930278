import type { Command } from "./command.ts";
import { lastChanges, readHistory } from "../../core/state/events/index.ts";
import { hasDifferences, isChange, type Plan } from "../../core/planning/plan/index.ts";
import { comparePlans, propose, type Run } from "../../core/execution/session/index.ts";
import { exitCodes } from "../exit-codes.ts";
import type { PlanFlags } from "../flags.ts";
import { title } from "../render/text.ts";
import { advise } from "../render/command-advice.ts";
import { planOrigin } from "./apply/plan-origin.ts";
import type { Console } from "../terminal/console.ts";
import type { Io } from "../terminal/io.ts";
import { readInputs } from "../change/inputs.ts";
import { withSession } from "../session/session.ts";
import { savedForm, showPlan } from "../change/show-plan.ts";
import { proposeDesired } from "../change/desired-plan.ts";

interface Flags extends PlanFlags {
  destroy?: boolean;
  base?: string;
  out?: string;
  detailedExitcode?: boolean;
  who?: boolean;
  summary?: boolean;
  output?: "text" | "json" | "markdown";
}

/** `infrasync plan`: shows what apply or destroy would change. */
export const plan: Command<[sources: string[]], Flags> = {
  run: ({ args: [sources], flags, console }) => planManifests(sources, flags, console),
};

/** Plans the changes of apply or destroy, shows and perhaps saves the plan, and returns the exit code. */
export async function planManifests(
  sources: readonly string[],
  flags: Flags,
  console: Console,
): Promise<number> {
  const saving =
    flags.out === undefined ? undefined : await import("../../core/outputs/forms/saved-plan/index.ts");
  await saving?.ensurePlanWritable(flags.out ?? "");
  const { settings, ...desired } = await readInputs(sources, flags, console, {
    isDestroy: flags.destroy ?? false,
  });
  const base = await declaredBase(flags, sources, console.io);
  const { proposal, run, set, sectionOf, comparison } = await withSession(
    { settings, console },
    async (session) => {
      const prepared = await proposeDesired(flags.destroy ? "destroy" : "reconcile", desired, session);
      if (base === undefined || flags.base === undefined) return { ...prepared, comparison: undefined };
      const other = await propose(prepared.run, session.organization, "reconcile", base, desired.policy);
      return {
        ...prepared,
        comparison: { name: flags.base, ...comparePlans(other.plan, prepared.proposal.plan) },
      };
    },
  );
  const { plan: made } = proposal;
  const isRefused = proposal.missingConsents.length > 0;
  if (saving && !isRefused)
    await saving.writePlan(flags.out ?? "", made, {
      inputs: { ...desired, origin: planOrigin(flags.out ?? ".", desired.sources, flags) },
      known: run.live.known(),
      baseUrl: settings.baseUrl,
      form: await savedForm(made, set, console),
      sectionOf,
    });
  await showPlan(
    made,
    { comparison, set, sectionOf, isSummary: flags.summary, budget: run.client.budget },
    flags.output,
    console,
  );
  if (flags.who && !console.json) await showChangers(made, run, console);
  if (isRefused) return exitCodes.invalid;
  if (flags.out !== undefined && !console.json)
    advise(console, "\nThe plan is saved. To apply exactly this plan:", ["apply", "--plan", flags.out]);
  for (const flag of paceFlags(flags))
    console.note(`A plan does not store ${flag}; give it to infrasync apply.`);
  const hasChange = comparison ? comparison.own.length > 0 : hasDifferences(made);
  return flags.detailedExitcode && hasChange ? exitCodes.changes : exitCodes.done;
}

/** Shows who last changed the resources that the plan changes or deletes. */
async function showChangers(
  { organization, actions }: Plan,
  { client }: Run,
  console: Console,
): Promise<void> {
  const concerned = actions.filter((action) => isChange(action) && action.resourceId !== undefined);
  if (concerned.length === 0) return;
  const { renderChanger } = await import("../render/history.ts");
  const changes = lastChanges(await readHistory(client, organization.id, undefined, 100));
  for (const { address, resourceId = "" } of concerned) {
    const change = changes.get(resourceId);
    if (change) console.note(`${title(address)}: ${renderChanger(change, Date.now())}`);
  }
}

/** The declared resources of the base; undefined without a base. */
async function declaredBase(
  { base, set: _partOfTheChange, ...flags }: Flags,
  sources: readonly string[],
  io: Io,
) {
  if (base === undefined) return undefined;
  const { readBase } = await import("../manifests/base.ts");
  return readBase(base, sources, flags, io);
}

/** The given flags that only apply uses and a saved plan does not store. */
function paceFlags({ wait }: Flags): string[] {
  return wait ? ["--wait"] : [];
}
