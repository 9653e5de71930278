import type { Client } from "../../core/api/index.ts";
import { findOrganization } from "../../core/organization.ts";
import type { Plan, PolicyInForce } from "../../core/plan/index.ts";
import { InvalidInputError } from "../../core/problem.ts";
import { proposeSaved } from "../../core/session/index.ts";
import type { ConsentFlags } from "../flags.ts";
import type { Settings } from "../settings/index.ts";
import type { Console } from "../terminal/console.ts";
import type { Status } from "../progress/status.ts";
import { connect } from "./session.ts";
import { type Prepared, possible } from "./wanted.ts";

/**
 * Connects to the server and checks that a saved plan is not stale, and that the settings allow its deletions now.
 *
 * @throws InvalidInputError
 */
export async function prepareSavedPlan(
  file: string,
  plan: Plan,
  { settings, flags }: { settings: Settings; flags: ConsentFlags },
  console: Console,
  status: Status,
): Promise<Prepared> {
  const run = await connect(settings, console, status, flags);
  await ensureOrganization(file, plan, settings, run.client);
  return { proposal: possible(await proposeSaved(run, plan, policyInForce(settings))), run };
}

/** The default caps are no limit here: whoever made the plan may have allowed more. */
function policyInForce({ protect, maxDeletes, tokenName }: Settings): PolicyInForce {
  return {
    protect,
    ...(tokenName !== undefined && { ownToken: tokenName }),
    caps: { count: Infinity, percent: 100, ...maxDeletes },
  };
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
