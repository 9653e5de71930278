import { type Address, formatAddress } from "../../model/addresses/address.ts";
import type { DesiredResource } from "../../manifests/manifest/index.ts";
import type { Organization } from "../../state/organization.ts";
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
} from "../../planning/plan/index.ts";
import type { InvalidInputError, Problem } from "../../problems/problem.ts";
import type { Run } from "../../operations/index.ts";
import type { SecretReader } from "../../secrets/index.ts";
import { counted } from "../../values/text.ts";
import { traced, type Work } from "../../values/trace.ts";
import { withConsents } from "./consents-of-documents.ts";
import { makePlan } from "./plan.ts";
import type { SavedPlan } from "../../outputs/forms/saved-plan/file.ts";
import { staleProblems } from "../../outputs/forms/saved-plan/stale.ts";

/** A plan, with the problems that forbid it. Only reads were sent for it. */
export interface Proposal {
  plan: Plan;
  /** Why the plan cannot be executed at all: a mistake that live state shows, or a stale plan. */
  refusal?: { code: InvalidInputError["code"]; problems: readonly Problem[] };
  missingConsents: readonly Problem[];
  cost: Cost;
}

/** Reads live state and proposes a plan; `plannedAt`: the time for which it plans, default: now, by the server's clock. */
export async function propose(
  run: Pick<Run, "client" | "live"> & Partial<Pick<Run, "secrets">>,
  organization: Organization,
  goal: Goal,
  resources: readonly DesiredResource[],
  policy: Policy,
  plannedAt?: number,
): Promise<Proposal> {
  const attributes: Work["attributes"] = { "infrasync.resources": resources.length };
  const plan = await traced("plan", attributes, async () => {
    const made = await makePlan(run, organization, goal, resources, policy, plannedAt);
    attributes["infrasync.changes"] = made.actions.filter(isChange).length;
    return made;
  });
  const notes = [...plan.notes, ...(await notesOfSecrets(plan, run.secrets))];
  return proposalOf(withConsents({ ...plan, notes }, resources));
}

const mostNamed = 10;

/** Notes for the secrets that a plan writes: unreadable ones, and odd values. */
async function notesOfSecrets({ actions }: Plan, reader: SecretReader | undefined): Promise<Note[]> {
  if (!reader?.hasSources) return [];
  const written = actions.flatMap((action) =>
    secretsWritten(action).map((secret) => ({ action, ...secret })),
  );
  const judged = await Promise.all(
    written.map(async ({ action: { address }, path, reference }) => {
      const { unreadable, oddity } = await reader.readAtOnce(reference);
      return { address, name: `${path} of ${formatAddress(address)}`, unreadable, oddity };
    }),
  );
  const unreadable = judged.filter((each) => each.unreadable !== undefined);
  const odd = judged.filter((each) => each.oddity !== undefined);
  return [
    ...secretNote(
      "unreadable_secret",
      unreadable,
      "An apply cannot read",
      " here",
      (each) => each.unreadable,
    ),
    ...secretNote("doubtful_value", odd, "Look again at", "", (each) => `its value ${each.oddity}`),
  ];
}

function secretNote<Judged extends { address: Address; name: string }>(
  code: Note["code"],
  secrets: readonly Judged[],
  what: string,
  where: string,
  whyOf: (secret: Judged) => string | undefined,
): Note[] {
  if (secrets.length === 0) return [];
  const named = secrets.slice(0, mostNamed).map((each) => `${each.name}: ${whyOf(each)}`);
  const more = secrets.length > mostNamed ? `; and ${secrets.length - mostNamed} more` : "";
  return [
    {
      code,
      message: `${what} ${counted(secrets.length, "secret")}${where}: ${named.join("; ")}${more}`,
      resources: [...new Set(secrets.map(({ address }) => address))],
    },
  ];
}

export function proposalOf(plan: Plan): Proposal {
  const { problems } = plan;
  const missingConsents = problems.filter(({ blocks }) => blocks === "apply");
  const proposal = { plan, missingConsents, cost: costOf(plan) };
  if (missingConsents.length === problems.length) return proposal;
  const isStale = problems.some(({ code }) => code === "stale");
  return { ...proposal, refusal: { code: isStale ? "stale_plan" : "invalid_input", problems } };
}

export function withProblems({ plan }: Pick<Proposal, "plan">, problems: readonly Problem[]): Proposal {
  return proposalOf({ ...plan, problems: [...plan.problems, ...problems] });
}

/**
 * Plans the inputs of a saved plan again, limited to the resources that it changes, and proposes the new plan. If its
 * actions or the state of its resources differ from the saved ones, its problems say so. Every rule is checked again,
 * with the present protections, policies and caps.
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
