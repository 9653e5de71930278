import type { Client } from "../../core/api/index.ts";
import { findOrganization } from "../../core/organization.ts";
import { readPlan, staleProblems } from "../../core/plan-file.ts";
import type { Plan } from "../../core/plan/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { missingAnswer } from "../ask.ts";
import { makeChange } from "../change.ts";
import type { Console } from "../console.ts";
import { exitCodes } from "../exit-codes.ts";
import { CommandError } from "../failure.ts";
import type { ConsentFlags, PlanFlags } from "../flags.ts";
import { readInputs, readSettings } from "../inputs.ts";
import { planFor } from "../planning.ts";
import { connect, openSession, operationsOf } from "../session.ts";
import type { Settings } from "../settings/index.ts";
import { withStatus } from "../status.ts";

interface Flags extends PlanFlags, ConsentFlags {
  plan?: string;
}

/** `infrasync apply`: makes what is live what the manifests describe, or what a saved plan says. */
export async function apply(sources: string[], flags: Flags, console: Console): Promise<number> {
  const { plan: file } = flags;
  if (file !== undefined) return applySaved(file, sources, flags, console);
  const unanswered = missingAnswer("apply", "infrasync plan", flags, sources, console);
  const { settings, ...wanted } = await readInputs(sources, flags, console, unanswered);
  return withStatus(console, async (status) => {
    status.working("reading what is live");
    const session = await openSession(settings, console, status);
    const plan = await planFor("reconcile", wanted, session);
    status.pause();
    return makeChange({ plan, operations: session.operations }, { settings, flags, status, console });
  });
}

async function applySaved(file: string, sources: string[], flags: Flags, console: Console): Promise<number> {
  refuseBeside(sources, flags);
  const settings = await readSettings(flags, console);
  const plan = await readPlan(file, settings.baseUrl);
  const unanswered = missingAnswer("apply", undefined, flags, sources, console);
  if (unanswered.length > 0) throw new InvalidInputError(unanswered, "consent");
  return withStatus(console, async (status) => {
    status.working("reading what is live");
    const client = await connect(settings, console, status);
    await ensureOrganization(file, plan, settings, client);
    const stale = plan.problems.length > 0 ? [] : await staleProblems(client, plan);
    if (stale.length > 0) throw new InvalidInputError(stale, "stale_plan");
    status.pause();
    const operations = operationsOf(client, settings, console);
    return makeChange({ plan, operations }, { settings, flags, status, console });
  });
}

async function ensureOrganization(
  file: string,
  { organization: { id, name } }: Plan,
  settings: Settings,
  client: Client,
): Promise<void> {
  const wanted = settings.organization?.toLowerCase();
  if (wanted === undefined || wanted === id.toLowerCase() || wanted === name?.toLowerCase()) return;
  // A plan that was made with the id does not know the name.
  if (name === undefined && (await findOrganization(client, settings.organization)).id === id) return;
  throw new InvalidInputError([
    {
      message: `the plan file ${file} was made for the organization ${name ?? id}, and the settings say ${settings.organization}`,
      advice: "set the organization that the plan was made for, or plan again",
    },
  ]);
}

/** A saved plan is carried out as it is: what else is said on the command line could only be taken for a promise. */
function refuseBeside(sources: readonly string[], flags: Flags): void {
  const beside = [
    ...sources,
    ...(flags.target ? ["--target"] : []),
    ...(flags.prune ? ["--prune"] : []),
    ...(flags.allowReplace ? ["--allow-replace"] : []),
    ...(flags.maxDeletes === undefined ? [] : ["--max-deletes"]),
    ...(flags.strict ? ["--strict"] : []),
  ];
  if (beside.length === 0) return;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `a saved plan is carried out as it is, so ${beside.join(", ")} cannot stand beside --plan`,
    advice: "leave it out, or give it to infrasync plan",
  });
}
