import { type Client, systemClock } from "../../../core/api/index.ts";
import { findOrganization } from "../../../core/organization.ts";
import { defaultCaps, type Plan, type PolicyInForce } from "../../../core/plan/index.ts";
import type { SavedPlan } from "../../../core/forms/saved-plan/index.ts";
import { InvalidInputError } from "../../../core/problem.ts";
import { proposeSaved } from "../../../core/session/index.ts";
import { escapeControl } from "../../../core/text.ts";
import type { ConsentFlags } from "../../flags.ts";
import type { Settings } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";
import type { Status } from "../../progress/status.ts";
import type { ProposedChange } from "../../support/make-change.ts";
import { connect } from "../../support/session.ts";
import { type Prepared, possible } from "../../support/wanted.ts";

/**
 * Connects to the server, plans again what a saved plan was made of, and checks that it is still that plan, and that the
 * settings allow it now.
 *
 * @throws InvalidInputError
 */
export async function prepareSavedPlan(
  file: string,
  saved: SavedPlan,
  { settings, flags }: { settings: Settings; flags: ConsentFlags },
  console: Console,
  status: Status,
): Promise<Prepared> {
  const run = await connect(settings, console, status, flags);
  await ensureOrganization(file, saved.plan, settings, run.client);
  return { proposal: possible(await proposeSaved(run, saved, policyInForce(settings))), run };
}

/** Takes a saved plan for this apply alone, and notes that in its file. */
export function usedOnce(
  file: string,
  saved: SavedPlan,
  console: Console,
): NonNullable<ProposedChange["record"]> {
  const claim = async () => {
    const { claimPlan } = await import("../../../core/forms/saved-plan/index.ts");
    const { clock = systemClock } = console.io;
    await claimPlan(file, saved, clock.now()).catch((error: unknown) => {
      if (error instanceof InvalidInputError) throw error;
      console.note(
        `${escapeControl(file)} cannot be marked as applied (${String(error)}); do not apply it again.`,
      );
    });
  };
  return {
    begin: claim,
    // A plan without changes has been used too.
    end: (_plan, report) => (report ? Promise.resolve() : claim()),
  };
}

function policyInForce({ protect, maxDeletes, tokenName }: Settings): PolicyInForce {
  return {
    protect,
    ...(tokenName !== undefined && { ownToken: tokenName }),
    caps: { ...defaultCaps, ...maxDeletes },
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
