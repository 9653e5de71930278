import { exitCodes, CommandError } from "../../exit-codes.ts";
import type { ConsentFlags, PlanFlags } from "../../flags.ts";
import { ensureAnswer } from "../../terminal/ask.ts";
import type { CommandInput } from "../command.ts";
import type { CommandLineFlag } from "../../terminal/typed-command.ts";
import { helpTopics } from "../../help.ts";
import { makeChange, type ProposedChange } from "../../change/make-change.ts";
import { connect } from "../../session/session.ts";
import { type PreparedProposal, possible } from "../../change/desired-plan.ts";
import { withStatus } from "../../progress/with-status.ts";
import { readSettings } from "../../session/read-settings.ts";
import { placesOf } from "./plan-origin.ts";
import {
  readAnyPlan,
  readPlan,
  type SavedPlan,
  claimPlan,
} from "../../../core/outputs/forms/saved-plan/index.ts";
import { type Client, systemClock } from "../../../core/api/index.ts";
import { findOrganization } from "../../../core/state/organization.ts";
import { defaultCaps, type PolicyInForce } from "../../../core/planning/plan/index.ts";
import { InvalidInputError, refusal } from "../../../core/problems/problem.ts";
import { proposeSaved } from "../../../core/execution/session/index.ts";
import { escapeControl } from "../../../core/values/text.ts";
import type { Settings } from "../../settings/index.ts";
import type { Console } from "../../terminal/console.ts";
import type { Status } from "../../progress/status.ts";

/** Applies a saved plan, and returns the exit code. @throws InvalidInputError for another plan, or by the settings */
export async function applySaved(
  file: string,
  { args: [sources], flags, given, console }: CommandInput<[sources: string[]], PlanFlags & ConsentFlags>,
): Promise<number> {
  refuseBeside(sources, given);
  const { origin } = await readAnyPlan(file);
  const { settings: places, folder } = placesOf(file, origin, flags.config);
  const { maxDeletes } = origin;
  const declared = { ...flags, ...(maxDeletes !== undefined && { maxDeletes }) };
  const settings = await readSettings(declared, console, places);
  const saved = await readPlan(file, settings.baseUrl);
  ensureAnswer("apply", flags, console);
  return withStatus(console, async (status) => {
    status.reading();
    const prepared = await prepareSavedPlan(file, saved, { settings, flags, folder }, console, status);
    status.pause();
    const record = usedOnce(file, saved, console);
    return makeChange(
      { ...prepared, record, isSaved: true, canTarget: false },
      { settings, flags, status, console },
    );
  });
}

/** A saved plan contains its sources and flags. Further ones would have no effect, so they are errors. */
function refuseBeside(sources: readonly string[], given: readonly CommandLineFlag[]): void {
  const groups = new Set([helpTopics["manifests"], helpTopics["planning"]]);
  const flags = given.filter(({ name, group }) => groups.has(group) && name !== "--plan");
  const beside = [...sources, ...flags.map(({ name }) => name)];
  if (beside.length === 0) return;
  throw new CommandError("usage", exitCodes.invalid, {
    message: `--plan applies a saved plan exactly as it is; it cannot be combined with ${beside.join(", ")}`,
    advice: "use these with infrasync plan, when you make the plan",
  });
}

/** Connects, plans the inputs of a saved plan again, and checks that neither plan nor settings forbid it now. */
async function prepareSavedPlan(
  file: string,
  saved: SavedPlan,
  { settings, flags, folder }: { settings: Settings; flags: ConsentFlags; folder: string },
  console: Console,
  status: Status,
): Promise<PreparedProposal> {
  const run = await connect(settings, console, status, { ...flags, folder });
  await ensureOrganization(file, saved.plan, settings, run.client);
  return { proposal: possible(await proposeSaved(run, saved, policyInForce(settings))), run };
}

/** Reserves a saved plan for this apply, and records that in its file. */
function usedOnce(file: string, saved: SavedPlan, console: Console): NonNullable<ProposedChange["record"]> {
  const claim = async () => {
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

function policyInForce({ protect, policies, maxDeletes, fixedCaps, tokenName }: Settings): PolicyInForce {
  return {
    protect,
    policies,
    ...(tokenName !== undefined && { ownToken: tokenName }),
    caps: { ...defaultCaps, ...maxDeletes },
    ...(fixedCaps && { fixedCaps }),
  };
}

async function ensureOrganization(
  file: string,
  { organization: { id, name } }: SavedPlan["plan"],
  settings: Settings,
  client: Client,
): Promise<void> {
  const desired = settings.organization?.toLowerCase();
  if (desired === undefined || desired === id.toLowerCase() || desired === name?.toLowerCase()) return;
  // A plan that was made with an organization's id does not contain its name.
  if (name === undefined && (await findOrganization(client, settings.organization)).id === id) return;
  throw refusal(
    "saved_plan",
    `the plan file ${file} was made for the organization ${name ?? id}, but the settings name ${settings.organization}`,
    "set the organization of the plan, or plan again",
  );
}
