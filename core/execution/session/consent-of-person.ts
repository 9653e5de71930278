import { formatAddress } from "../../model/addresses/address.ts";
import { digestOfActions } from "../../outputs/forms/digest.ts";
import { type Action, type GivenConsent, lossesByResource } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { type Proposal, proposalOf } from "./propose.ts";

/** A proposal with a person's consent, by their digest, to some actions: replacements, losses, approvals. Protection and caps stay. */
export function consentedTo(
  proposal: Proposal,
  actions: readonly Action[],
  digest: string,
  to: readonly ("replace" | "policy")[] = ["replace", "policy"],
): Proposal | undefined {
  const { plan } = proposal;
  if (digestOfActions({ ...plan, actions }) !== digest) return undefined;
  const covered = new Set([
    ...actions.map(({ address }) => formatAddress(address)),
    ...lossesByResource(actions).map(({ address }) => formatAddress(address)),
  ]);
  const given: GivenConsent = { to, covers: covered };
  return proposalOf({
    ...plan,
    problems: plan.problems.filter((problem) => !isGiven(problem, [given])),
    consents: [...(plan.consents ?? []), given],
  });
}

export function isGiven(
  { address = "", blocks, remedies = [] }: Problem,
  consents: readonly GivenConsent[],
): boolean {
  return (
    blocks === "apply" &&
    consents.some(
      ({ to, covers }) =>
        covers.has(address) && remedies.some((remedy) => "consent" in remedy && to.includes(remedy.consent)),
    )
  );
}
