import type { Client } from "../../core/api/index.ts";
import { findOrganization } from "../../core/organization.ts";
import { staleProblems } from "../../core/saved-plan/index.ts";
import type { Plan } from "../../core/plan/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import type { OperationContext } from "../../core/steps/index.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../progress/status.ts";
import { connect } from "./session.ts";

/**
 * Connects to the server and checks that a saved plan is not stale, so that it can be applied.
 *
 * @throws InvalidInputError
 */
export async function prepareSavedPlan(
  file: string,
  plan: Plan,
  settings: Settings,
  console: Console,
  status: Status,
): Promise<OperationContext> {
  const operations = await connect(settings, console, status);
  const { client } = operations;
  await ensureOrganization(file, plan, settings, client);
  const stale = plan.problems.length > 0 ? [] : await staleProblems(operations, plan);
  if (stale.length > 0) throw new InvalidInputError(stale, "stale_plan");
  return operations;
}

async function ensureOrganization(
  file: string,
  { organization: { id, name } }: Plan,
  settings: Settings,
  client: Client,
): Promise<void> {
  const wanted = settings.organization?.toLowerCase();
  if (wanted === undefined || wanted === id.toLowerCase() || wanted === name?.toLowerCase()) return;
  // A plan that was made with an organization's id does not contain its name.
  if (name === undefined && (await findOrganization(client, settings.organization)).id === id) return;
  throw new InvalidInputError([
    {
      code: "saved_plan",
      message: `the plan file ${file} was made for the organization ${name ?? id}, but the settings name ${settings.organization}`,
      advice: "set the organization of the plan, or plan again",
    },
  ]);
}
