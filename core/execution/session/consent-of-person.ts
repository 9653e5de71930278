import { formatAddress } from "../../model/addresses/address.ts";
import { type Action, type GivenConsent, lossesByResource } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { type Proposal, proposalOf } from "./propose.ts";

/** A proposal with a person's consent to some actions: to their replacements, losses and policies. Protection and caps stay. */
export function consentedTo(
  { plan }: Proposal,
  actions: readonly Action[],
  to: readonly ("replace" | "policy")[] = ["replace", "policy"],
): Proposal {
  const lost = lossesByResource(actions);
  const covers = new Set([...actions, ...lost].map(({ address }) => formatAddress(address)));
  const given = { to, covers };
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
