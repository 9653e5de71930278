import { formatAddress } from "../address.ts";
import { digestOfActions } from "../forms/digest.ts";
import { type Action, lossesByResource } from "../plan/index.ts";
import type { Problem } from "../problem.ts";
import { type Proposal, proposalOf } from "./propose.ts";

/** The consents that the digest of actions stands for. */
type Consented = "replace" | "policy";

/**
 * A proposal with the consent of a person to some of its actions, given by their digest: to what they delete and create
 * again, to what they lose for good, and to what policies want to be approved. As soon as the actions differ, nothing is
 * consented to. Protection, caps and all other consents stay as they are.
 *
 * @param to what the digest stands for where the person was asked; default: all of that
 */
export function consentedTo(
  proposal: Proposal,
  actions: readonly Action[],
  digest: string,
  to: readonly Consented[] = ["replace", "policy"],
): Proposal {
  const { plan } = proposal;
  if (digestOfActions({ ...plan, actions }) !== digest) return proposal;
  const covered = new Set([
    ...actions.map(({ address }) => formatAddress(address)),
    ...lossesByResource(actions).map(({ address }) => formatAddress(address)),
  ]);
  const isCovered = ({ address = "", blocks, remedies = [] }: Problem) =>
    blocks === "apply" &&
    covered.has(address) &&
    remedies.some((remedy) => "consent" in remedy && to.some((consent) => consent === remedy.consent));
  return proposalOf({ ...plan, problems: plan.problems.filter((problem) => !isCovered(problem)) });
}
