import { formatAddress } from "../../model/addresses/address.ts";
import { digestOfActions } from "../../outputs/forms/digest.ts";
import { type Action, type GivenConsent, lossesByResource } from "../../planning/plan/index.ts";
import type { Problem } from "../../problems/problem.ts";
import { type Proposal, proposalOf } from "./propose.ts";

/** A person's consent to some actions: to their replacements, losses and policies. Protection and caps stay. */
export function consentOfPerson(
  actions: readonly Action[],
  to: readonly ("replace" | "policy")[] = ["replace", "policy"],
): GivenConsent {
  const lost = lossesByResource(actions);
  return { to, covers: new Set([...actions, ...lost].map(({ address }) => formatAddress(address))) };
}

/** A proposal with a person's consent to some actions; undefined if they have another digest now. */
export function consentedTo(
  proposal: Proposal,
  actions: readonly Action[],
  digest: string,
  to?: readonly ("replace" | "policy")[],
): Proposal | undefined {
  const { plan } = proposal;
  if (digestOfActions({ ...plan, actions }) !== digest) return undefined;
  const given = consentOfPerson(actions, to);
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
