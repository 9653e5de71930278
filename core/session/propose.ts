import { formatAddress } from "../address.ts";
import type { Desired } from "../manifest/index.ts";
import type { Organization } from "../organization.ts";
import {
  type Cost,
  costOf,
  type Goal,
  isChange,
  type Note,
  type Plan,
  type Policy,
  type PolicyInForce,
  secretsWritten,
} from "../plan/index.ts";
import type { InvalidInputError, Problem } from "../problem.ts";
import type { Run } from "../operations/index.ts";
import type { SecretReader } from "../secrets/index.ts";
import { counted } from "../text.ts";
import { traced, type Work } from "../traced.ts";
import { withConsents } from "./consents.ts";
import { makePlan } from "./plan.ts";
import type { SavedPlan } from "../forms/saved-plan/file.ts";
import { staleProblems } from "../forms/saved-plan/stale.ts";

/** A plan, with the problems that forbid it. Only reads were sent for it. */
export interface Proposal {
  plan: Plan;
  /** Why the plan cannot be carried out at all: a mistake that live state shows, or a stale plan. */
  refusal?: {
    code: InvalidInputError["code"];
    problems: readonly Problem[];
  };
  /** The consents that the plan lacks. */
  missingConsents: readonly Problem[];
  cost: Cost;
}

/**
 * Reads live state and proposes a plan.
 *
 * @param plannedAt the time for which it plans, in milliseconds since 1970; default: now, by the clock of the server
 */
export async function propose(
  run: Pick<Run, "client" | "live"> & Partial<Pick<Run, "secrets">>,
  organization: Organization,
  goal: Goal,
  resources: readonly Desired[],
  policy: Policy,
  plannedAt?: number,
): Promise<Proposal> {
  const attributes: Work["attributes"] = { "infrasync.resources": resources.length };
  const plan = await traced("plan", attributes, async () => {
    const made = await makePlan(run, organization, goal, resources, policy, plannedAt);
    attributes["infrasync.changes"] = made.actions.filter(isChange).length;
    return made;
  });
  const notes = [...plan.notes, ...(await unreadableSecrets(plan, run.secrets))];
  return proposalOf(withConsents({ ...plan, notes }, resources));
}

/** The most secrets that a note names. */
const mostNamed = 10;

/** A note for the secrets that a plan writes and whose values an apply could not read here. */
async function unreadableSecrets({ actions }: Plan, reader: SecretReader | undefined): Promise<Note[]> {
  if (!reader?.hasSources) return [];
  const written = actions.flatMap((action) =>
    secretsWritten(action).map((secret) => ({ action, ...secret })),
  );
  const found = await Promise.all(
    written.map(async ({ action: { address }, path, reference }) => {
      const why = await reader.whyUnreadable(reference);
      return why === undefined ? [] : [{ address, text: `${path} of ${formatAddress(address)}: ${why}` }];
    }),
  );
  const all = found.flat();
  if (all.length === 0) return [];
  const more = all.length > mostNamed ? `; and ${all.length - mostNamed} more` : "";
  const named = all.slice(0, mostNamed).map(({ text }) => text);
  return [
    {
      code: "unreadable_secret",
      message: `An apply cannot read ${counted(all.length, "secret")} here: ${named.join("; ")}${more}`,
      resources: [...new Set(all.map(({ address }) => address))],
    },
  ];
}

/** A plan, and the problems that forbid it. */
export function proposalOf(plan: Plan): Proposal {
  const { problems } = plan;
  const missingConsents = problems.filter(({ blocks }) => blocks === "apply");
  const proposal = { plan, missingConsents, cost: costOf(plan) };
  if (missingConsents.length === problems.length) return proposal;
  const isStale = problems.some(({ code }) => code === "stale");
  return { ...proposal, refusal: { code: isStale ? "stale_plan" : "invalid_input", problems } };
}

/** A proposal with further problems that forbid it. */
export function withProblems({ plan }: Pick<Proposal, "plan">, problems: readonly Problem[]): Proposal {
  return proposalOf({ ...plan, problems: [...plan.problems, ...problems] });
}

/**
 * Plans the inputs of a saved plan again, limited to the resources that it changes, and proposes the new plan. If the new
 * plan does anything else than the saved one, or to resources whose state has changed, its problems say so. Every rule is
 * checked again, with the present protections, policies and caps.
 */
export async function proposeSaved(
  run: Pick<Run, "client" | "live">,
  saved: SavedPlan,
  { protect, policies = [], caps, fixedCaps, ownToken }: PolicyInForce,
): Promise<Proposal> {
  const { plan, at, resources, policy } = saved;
  const { goal, organization } = plan;
  const inForce = {
    protect,
    policies,
    caps,
    ...(fixedCaps && { fixedCaps }),
    ...(ownToken !== undefined && { ownToken }),
  };
  const proposal = await propose(run, organization, goal, resources, { ...policy, ...inForce }, at);
  return withProblems(proposal, staleProblems(saved, proposal.plan, run.live.known()));
}
